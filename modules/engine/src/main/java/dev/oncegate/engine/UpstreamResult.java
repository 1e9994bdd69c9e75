package dev.oncegate.engine;

import dev.oncegate.core.HeaderField;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a request got: the one fact on which release and unknown depend. */
public sealed interface UpstreamResult {
  /**
   * Surely no byte left: refused, DNS, TLS, connect timeout, pool full.
   *
   * @param fault an error of our own that came before the first byte, where it was not the network
   */
  record NotSent(String reason, @Nullable Throwable fault) implements UpstreamResult {
    public NotSent(String reason) {
      this(reason, null);
    }
  }

  /** A complete answer within {@code capture.max}. */
  record Answered(UpstreamAnswer answer) implements UpstreamResult {}

  /**
   * An answer over {@code capture.max}, or an event stream: the rest of the body is still coming.
   */
  record AnsweredUnkept(int status, List<HeaderField> headers, UnkeptBody body)
      implements UpstreamResult {}

  /**
   * Bytes may have been sent and no complete answer came.
   *
   * @param abandoned because {@code upstream.timeouts.abandon} has passed
   */
  record Broken(String reason, boolean abandoned) implements UpstreamResult {}

  /** A body that is passed on as it comes. Paused; exactly one of the two methods is called. */
  interface UnkeptBody {
    /** All of the body from its first byte, paused. Fails where the upstream breaks off. */
    ReadStream<Buffer> stream();

    /** Nobody will read it: frees the upstream's connection. */
    void discard();
  }
}

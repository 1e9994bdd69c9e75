package dev.oncegate.testkit;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamAnswer;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** An upstream port whose sends wait until the test answers them; it counts what was sent. */
public final class HeldUpstream implements Upstream {
  private final List<UpstreamRequest> sent = new ArrayList<>();
  private Progress newest = new Progress() {};
  private final Deque<Promise<UpstreamResult>> open = new ArrayDeque<>();

  @Override
  public Future<UpstreamResult> send(
      TenantPolicy tenant,
      UpstreamRequest request,
      RoutePolicy.Capture capture,
      Progress progress) {
    sent.add(request);
    newest = progress;
    Promise<UpstreamResult> promise = Promise.promise();
    open.add(promise);
    return promise.future();
  }

  /** Everything that was ever sent. */
  public List<UpstreamRequest> sent() {
    return List.copyOf(sent);
  }

  /** Ends the oldest open send. */
  public void end(UpstreamResult result) {
    open.remove().complete(result);
  }

  /** Ends the oldest open send with an answer. */
  public void answer(int status, String body, HeaderField... headers) {
    Bytes bytes = Bytes.wrap(body.getBytes(StandardCharsets.UTF_8));
    end(new UpstreamResult.Answered(new UpstreamAnswer(status, List.of(headers), bytes)));
  }

  /** Whether the newest send may still leave, as an adapter asks that waited for a connection. */
  public boolean maySend() {
    return newest.maySend();
  }

  /** Says that the newest send has left. */
  public void left() {
    newest.sent();
  }

  /** Says that the newest send's answer is longer in coming than {@code firstByte}. */
  public void late() {
    newest.late();
  }

  /** Fails the oldest open send, as a broken adapter would. */
  public void fail(Throwable cause) {
    open.remove().fail(cause);
  }
}

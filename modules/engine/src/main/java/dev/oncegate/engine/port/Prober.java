package dev.oncegate.engine.port;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import io.vertx.core.Future;
import java.util.List;

/** Asks a tenant's API a read-only question about an unknown outcome (contract §6). */
public interface Prober {
  /**
   * Sends a GET or HEAD, follows no redirect, and reads the whole answer. The future succeeds in
   * every expected case, on the calling context.
   */
  Future<Reply> ask(TenantPolicy tenant, Question question);

  /**
   * A question.
   *
   * @param method GET or HEAD
   * @param target path and query below the upstream's base path
   * @param headers with their secrets; never logged
   * @param most bytes of an answer's body that are read; a longer one is no answer
   */
  record Question(String method, String target, List<HeaderField> headers, long most) {
    public Question {
      headers = List.copyOf(headers);
    }

    @Override
    public String toString() {
      return method + " " + target;
    }
  }

  /** What came of it. */
  sealed interface Reply {
    /** A complete answer; its body is decoded where it came in gzip or deflate. */
    record Answered(int status, List<HeaderField> headers, Bytes body) implements Reply {}

    /** None, or none that can be read. */
    record None(String reason) implements Reply {}
  }
}

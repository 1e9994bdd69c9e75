package dev.oncegate.gateway.http;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Prober;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * Asks over connections of its own: traffic that fills the tenant's pool, which is just what
 * happens while outcomes are unknown, does not keep the question from being asked, and questions
 * that hang take no connection from traffic.
 */
public final class HttpProber implements Prober {
  /**
   * A question is asked again soon; there is no point in waiting for one as long as for an effect.
   */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final UpstreamClients clients;
  private final Time time;

  /**
   * A prober.
   *
   * @param clients made by {@link UpstreamClients#forProbes}
   */
  public HttpProber(Vertx vertx, UpstreamClients clients, Time time) {
    this.vertx = vertx;
    this.clients = clients;
    this.time = time;
  }

  @Override
  public Future<Reply> ask(TenantPolicy tenant, Question question) {
    try {
      return new ProbeAttempt(tenant, question, new OffLoop(vertx.getOrCreateContext()))
          .run(clients, time);
    } catch (RuntimeException fault) {
      // Everything that throws here does so before a connection was asked for.
      return Future.succeededFuture(new Reply.None("the question could not be made"));
    }
  }

  /** From the question to the last byte of its answer. */
  static Duration limit(TenantPolicy tenant) {
    Duration total = tenant.upstream().timeouts().total();
    return total.compareTo(LONGEST) < 0 ? total : LONGEST;
  }
}

package dev.oncegate.app;

import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.gateway.http.GatewayServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop of traffic: its listener, engine, store connections and running exchanges live on
 * it and share nothing with the other loops but the connections to upstreams (architecture C).
 */
final class GatewayVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayVerticle.class);

  /** For writing answers that are ready; nothing is executed in it. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final Wiring wiring;
  private final int loop;
  private final AtomicInteger port;
  private @Nullable Parts parts;

  /**
   * One of several verticles that share a port.
   *
   * @param loop number of this one, part of its owner address
   * @param port gets the port that was really taken
   */
  GatewayVerticle(Wiring wiring, int loop, AtomicInteger port) {
    this.wiring = wiring;
    this.loop = loop;
    this.port = port;
  }

  /** What stop() ends, in this order. */
  record Parts(IdempotencyEngine engine, GatewayServer server, Supplier<Future<Void>> close) {}

  @Override
  public Future<?> start() {
    return wiring
        .gateway(vertx, context, loop)
        .onSuccess(
            started -> {
              parts = started;
              port.set(started.server().port());
            });
  }

  /**
   * Answers who waits, lets running exchanges end while the listener still answers newcomers with
   * 503, then closes the listener, and only then what exchanges need. The future succeeds in any
   * case: what cannot be ended is left to its lease.
   */
  @Override
  public Future<?> stop() {
    Parts running = parts;
    if (running == null) {
      return Future.succeededFuture();
    }
    return running
        .engine()
        .answerWaiters()
        .eventually(() -> exchangesEnd(running.engine()))
        .eventually(() -> running.server().drain(LAST_ANSWERS))
        .eventually(running.close())
        .otherwiseEmpty();
  }

  private Future<Void> exchangesEnd(IdempotencyEngine engine) {
    Promise<Void> ended = Promise.promise();
    long timer =
        vertx.setTimer(
            Math.max(1, wiring.drainLimit().toMillis()),
            fired -> {
              LOG.atWarn()
                  .addKeyValue("exchanges", engine.running())
                  .log("the drain limit has passed; the keys of running exchanges become unknown");
              ended.tryComplete();
            });
    engine.idle().onComplete(idle -> ended.tryComplete());
    return ended.future().onComplete(done -> vertx.cancelTimer(timer));
  }
}

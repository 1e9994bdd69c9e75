package dev.oncegate.app;

import dev.oncegate.engine.Upkeep;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The upkeep of this node, on an event loop of its own; all nodes run one and elect nobody. */
final class SweeperVerticle extends VerticleBase {
  private final Function<io.vertx.core.Vertx, Upkeep> wiring;
  private @Nullable Upkeep upkeep;

  SweeperVerticle(Function<io.vertx.core.Vertx, Upkeep> wiring) {
    this.wiring = wiring;
  }

  @Override
  public Future<?> start() {
    Upkeep made = wiring.apply(vertx);
    upkeep = made;
    made.start();
    return Future.succeededFuture();
  }

  /** Lets the running round end; its statements have time limits. */
  @Override
  public Future<?> stop() {
    Upkeep running = upkeep;
    return running == null ? Future.succeededFuture() : running.stop();
  }
}

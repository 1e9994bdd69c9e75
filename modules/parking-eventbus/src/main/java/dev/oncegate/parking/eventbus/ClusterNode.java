package dev.oncegate.parking.eventbus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** A node whose cluster has formed, until its Hazelcast stops or it is closed. */
final class ClusterNode {
  private final Formation formation;
  private final LocalOwners local;
  private final Context context;
  private final Listening listening;
  private final Asker asker;
  private final BusCheck check;
  private final long everyMillis;
  private final Runnable whenStopped;

  /** Written on the bus's own loop, as everything below it. */
  private volatile boolean closed;

  /**
   * The node; {@link #start} lets it listen.
   *
   * @param whenStopped told once, where Hazelcast is found to have stopped by itself
   */
  ClusterNode(ClusterSettings settings, Formation formation, Shared shared, Runnable whenStopped) {
    this.formation = formation;
    this.local = shared.local();
    this.context = formation.vertx().getOrCreateContext();
    this.listening = new Listening(context, shared.codec(), shared.refused());
    this.asker = new Asker(context, shared.codec(), shared.refused());
    this.check = new BusCheck(settings.join(), formation, listening, asker);
    this.everyMillis = settings.pace().check().toMillis();
    this.whenStopped = whenStopped;
  }

  /** What the nodes of a process have in common, one after the other. */
  record Shared(BusCodec codec, Refused refused, LocalOwners local) {}

  /** Listens, checks at once, and from then on at every interval. */
  void start() {
    context.runOnContext(
        turn -> {
          check.listen();
          round();
        });
  }

  Formation formation() {
    return formation;
  }

  Asker asker() {
    return asker;
  }

  Optional<String> trouble() {
    return check.trouble();
  }

  /** Owners of this process came or went. */
  void ownersChanged() {
    context.runOnContext(turn -> fit());
  }

  /** Leaves the bus; the member is stopped by whoever started it. */
  Future<Void> close() {
    closed = true;
    return formation.vertx().close();
  }

  private void round() {
    if (closed) {
      return;
    }
    if (!formation.running()) {
      closed = true;
      whenStopped.run();
      return;
    }
    fit().transform(registered -> check.runOnce()).onComplete(done -> again());
  }

  private Future<?> fit() {
    return closed ? Future.succeededFuture() : listening.fit(local);
  }

  private void again() {
    if (!closed) {
      // Give or take a quarter: nodes that started together do not ask together for ever.
      long millis = (long) (everyMillis * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
      formation.vertx().setTimer(Math.max(1, millis), id -> round());
    }
  }
}

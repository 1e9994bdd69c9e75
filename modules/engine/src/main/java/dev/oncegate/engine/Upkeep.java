package dev.oncegate.engine;

import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rounds of one node: sweep, ask where no question is open, and now and then balance the books.
 * Rounds never overlap; they are jittered, so that the nodes, which elect nobody, do not all come
 * at once. Lives on one event loop.
 */
public final class Upkeep {
  /** Where there is more to do: the next round follows as soon as others had their turn. */
  private static final Duration AT_ONCE = Duration.ofMillis(10);

  /** Reading the books costs a look at every open record. */
  private static final Duration AUDIT_EVERY = Duration.ofSeconds(10);

  private final Sweeper sweeper;
  private final Reconciler reconciler;
  private final Audit audit;
  private final Time time;
  private final EngineEvents events;
  private final Duration every;
  private final Consumer<List<Book>> books;
  private Future<Void> running = Future.succeededFuture();
  private Future<Void> asking = Future.succeededFuture();
  private Time.Timer timer = () -> {};
  private long auditDue;
  private boolean stopped;

  /**
   * The rounds, not yet started.
   *
   * @param every between two rounds, give or take a quarter
   * @param books gets the books whenever they were balanced
   */
  public Upkeep(
      Sweeper sweeper,
      Reconciler reconciler,
      Audit audit,
      Time time,
      EngineEvents events,
      Duration every,
      Consumer<List<Book>> books) {
    this.sweeper = sweeper;
    this.reconciler = reconciler;
    this.audit = audit;
    this.time = time;
    this.events = events;
    this.every = every;
    this.books = books;
  }

  /** Begins with a round at once. */
  public void start() {
    auditDue = time.nanos();
    next(AT_ONCE);
  }

  /** Completes when the running round and its questions have ended; no other one begins. */
  public Future<Void> stop() {
    stopped = true;
    timer.cancel();
    return running.eventually(() -> asking);
  }

  private void next(Duration wait) {
    if (!stopped) {
      timer = time.after(wait, this::round);
    }
  }

  private void round() {
    running =
        Future.succeededFuture()
            // Inside the chain: whatever a round throws, another one follows.
            .compose(go -> once())
            .onFailure(failure -> events.storeFailed("upkeep", failure))
            .otherwise(false)
            .map(
                more -> {
                  next(more ? AT_ONCE : jittered());
                  return null;
                });
  }

  private Future<Boolean> once() {
    return sweeper
        .runOnce()
        .compose(
            swept -> {
              ask();
              return balance().map(done -> swept.more());
            });
  }

  /**
   * Beside the rounds: a tenant's API that hangs keeps its questions open for seconds, and lapsed
   * claims of all tenants must not wait so long.
   */
  private void ask() {
    if (stopped || !asking.isComplete()) {
      return;
    }
    asking =
        Future.succeededFuture()
            .compose(go -> reconciler.runOnce())
            .onFailure(failure -> events.storeFailed("upkeep", failure))
            .map(
                asked -> {
                  if (asked.more()) {
                    time.after(AT_ONCE, this::ask);
                  }
                  return (Void) null;
                })
            .otherwiseEmpty();
  }

  private Future<Void> balance() {
    if (time.nanos() - auditDue < 0) {
      return Future.succeededFuture();
    }
    auditDue = time.nanos() + AUDIT_EVERY.toNanos();
    return audit.runOnce().onSuccess(books::accept).mapEmpty();
  }

  private Duration jittered() {
    int quarter = (int) Math.max(1, every.toMillis() / 4);
    int random = java.nio.ByteBuffer.wrap(time.randomBytes(4)).getInt() & Integer.MAX_VALUE;
    return every.minusMillis(quarter).plusMillis(random % (2 * quarter));
  }
}

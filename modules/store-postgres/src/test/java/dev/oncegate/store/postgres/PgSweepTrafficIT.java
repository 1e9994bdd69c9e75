package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.Records;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sweepers on every node at once, while traffic wants the same keys. */
class PgSweepTrafficIT {
  private static final int OLD = 10_000;
  private static final int OPEN = 100;

  /** Requests of each of the two gateways, so many of them at a time. */
  private static final int REQUESTS = 1500;

  private static final int AT_ONCE = 24;

  private final AtomicInteger won = new AtomicInteger();
  private final AtomicInteger released = new AtomicInteger();
  private final AtomicInteger met = new AtomicInteger();
  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void c82_sweepersAndTrafficOverTheSameKeys_noDeadlockAndNoError() {
    try (PgFixture fixture = new PgFixture(PgSweepTrafficIT.class)) {
      seed(fixture);
      PgUpkeep books = fixture.openUpkeep();
      long deadlocks = deadlocks(fixture);

      List<Future<Integer>> sweeps = new ArrayList<>();
      List<Future<Void>> traffic = new ArrayList<>();
      for (int node = 0; node < 2; node++) {
        int seed = node;
        sweeps.add(onLoop(fixture, () -> sweep(fixture.openUpkeep(), 0)));
        traffic.add(onLoop(fixture, () -> gateway(fixture.open(), seed)));
      }
      traffic.forEach(PgSweepTrafficIT::patiently);
      done.set(true);
      int swept = sweeps.stream().mapToInt(PgSweepTrafficIT::patiently).sum();

      assertThat(deadlocks(fixture)).isEqualTo(deadlocks);
      assertThat(won.get()).isGreaterThan(1000);
      assertThat(met.get()).isPositive();
      assertThat(swept).isGreaterThan(OLD / 2);
      assertThat(count(fixture, "tenant = 'open'")).isEqualTo(2 * OPEN);
      assertThat(count(fixture, "tenant <> 'open'")).isEqualTo(won.get() - released.get());
      assertThat(count(fixture, "state not in ('claimed', 'unknown', 'completed')")).isZero();
      assertThat(get(books.books())).extracting(Book::imbalance).containsOnly(0L);
      assertThat(
              fixture.database.query(
                  "select count(*) from body where id not in (select id from record)"))
          .isEqualTo("0");
    }
  }

  private static void seed(PgFixture fixture) {
    fixture.database.execute(Seeds.completed("acme", OLD / 2, "1 day", 3_600_000, 3_600_000));
    fixture.database.execute(Seeds.expired("acme-old", OLD / 2, "1 day", 3_600_000, 3_600_000));
    for (int i = 0; i < 2; i++) {
      fixture.database.execute(
          Seeds.completed("open" + i, OPEN, "1 day", 1, 1)
              .replace("'open" + i + "', 'charges'", "'open', 'charges'"));
    }
    String bare =
        ", status = null, head = null, body_kind = null, body = null, digest = null,"
            + " sealed = null, completed_at = null where id in"
            + " (select sha256(('open%d' || i)::bytea) from generate_series(1, 100) as i)";
    fixture.database.execute(
        "update record set state = 'claimed', lease_until = now() + interval '1 hour'"
            + bare.formatted(0));
    fixture.database.execute(
        "update record set state = 'unknown', unknown_since = claimed_at, unknown_reason = 'reset'"
            + bare.formatted(1));
    fixture.database.execute("select begin_books()");
  }

  /** Sweeps without a pause until the traffic has ended and nothing is left. */
  private Future<Integer> sweep(PgUpkeep upkeep, int before) {
    boolean last = done.get();
    return upkeep
        .lapse(200)
        .compose(lapsed -> upkeep.take(50, Duration.ofSeconds(1)))
        .compose(taken -> upkeep.expire(200))
        .compose(expired -> upkeep.forget(200).map(forgotten -> expired + forgotten))
        .compose(
            some ->
                some == 0 && last ? Future.succeededFuture(before) : sweep(upkeep, before + some));
  }

  private Future<Void> gateway(PgRecordStore store, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Future<Void>> clients = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      clients.add(client(store, random, REQUESTS / AT_ONCE));
    }
    return Future.all(clients).mapEmpty();
  }

  private Future<Void> client(PgRecordStore store, SplittableRandom random, int left) {
    if (left == 0) {
      return Future.succeededFuture();
    }
    int number = 1 + random.nextInt(OLD / 2);
    RecordId id = id((random.nextBoolean() ? "acme" : "acme-old") + number);
    boolean completes = random.nextInt(3) > 0;
    return store
        .claim(Records.claim(id))
        .compose(outcome -> settle(store, id, outcome, completes))
        .compose(settled -> client(store, random, left - 1));
  }

  private Future<Void> settle(
      PgRecordStore store, RecordId id, ClaimOutcome outcome, boolean completes) {
    if (!(outcome instanceof Won mine)) {
      assertThat(outcome).isInstanceOfAny(ClaimOutcome.InFlight.class, ClaimOutcome.Replay.class);
      met.incrementAndGet();
      return Future.succeededFuture();
    }
    won.incrementAndGet();
    Future<SettleOutcome> settled =
        completes
            ? store.complete(
                id,
                mine.token(),
                Records.answer(200, new StoredBody.ByReference(Records.noise(9000))))
            : store.release(id, mine.token());
    released.addAndGet(completes ? 0 : 1);
    return settled.map(
        is -> {
          assertThat(is).isInstanceOf(SettleOutcome.Done.class);
          return null;
        });
  }

  /** As the seeds make it. */
  private static RecordId id(String key) {
    try {
      return new RecordId(
          Bytes.wrap(
              MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8))));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> Future<T> onLoop(
      PgFixture fixture, java.util.function.Supplier<Future<T>> work) {
    Context context = ((VertxInternal) fixture.vertx).createEventLoopContext();
    Promise<T> promise = Promise.promise();
    context.runOnContext(go -> work.get().onComplete(promise));
    return promise.future();
  }

  private static <T> T patiently(Future<T> future) {
    try {
      return future.await(120, java.util.concurrent.TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("never ended", e);
    }
  }

  private static int count(PgFixture fixture, String where) {
    return Integer.parseInt(fixture.database.query("select count(*) from record where " + where));
  }

  private static long deadlocks(PgFixture fixture) {
    return Long.parseLong(
        fixture.database.query(
            "select deadlocks from pg_stat_database where datname = current_database()"));
  }
}

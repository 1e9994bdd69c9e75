package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PgOutageIT {
  @Test
  void stoppedAndStartedAgain_isUnavailableThenServesWithoutARestart() {
    try (TestPostgres server = TestPostgres.embedded();
        PgFixture fixture = new PgFixture(server, PgOutageIT.class)) {
      PgRecordStore store = fixture.open(fixture.options(), PgFixture.HASTY);
      Claim before = Records.claim(Records.anyId());
      FencingToken token = won(store, before).token();

      server.stop();
      assertUnavailable(
          List.of(
              store.claim(Records.claim(Records.anyId())), store.read(before.id()), store.ping()));
      PgRecordStore late = fixture.open(fixture.options(), PgFixture.HASTY);
      assertUnavailable(List.of(late.claim(Records.claim(Records.anyId()))));

      server.start();
      for (PgRecordStore each : List.of(store, late)) {
        won(each, Records.claim(Records.anyId()));
        assertThat(get(each.claim(Records.claim(before.id())))).isInstanceOf(InFlight.class);
      }
      assertThat(get(store.complete(before.id(), token, Records.answer("a"))))
          .isInstanceOf(Done.class);
      get(store.ping());
    }
  }

  /** Takes connections and never says a word. */
  @Test
  void serverThatNeverAnswers_isUnavailable() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      PgRecordStore store =
          PgRecordStore.open(
              vertx,
              new PgConnectOptions()
                  .setHost("127.0.0.1")
                  .setPort(silent.getLocalPort())
                  .setDatabase("x")
                  .setUser("x"),
              PgFixture.HASTY,
              System::nanoTime);
      assertUnavailable(List.of(store.claim(Records.claim(Records.anyId()))));
      get(store.close());
    } finally {
      get(vertx.close());
    }
  }

  /** Connections are accepted and nothing passes; then everything does, at once. */
  @Test
  void frozenServerThatComesBack_serves() {
    try (PgFixture fixture = new PgFixture(PgOutageIT.class);
        SocketCutter cutter =
            SocketCutter.before(fixture.database.host(), fixture.database.port())) {
      cutter.pause();
      PgRecordStore store =
          fixture.open(
              fixture.options().setHost("127.0.0.1").setPort(cutter.port()), PgFixture.HASTY);
      Claim claim = Records.claim(Records.anyId());
      assertUnavailable(List.of(store.claim(claim), store.read(claim.id())));
      cutter.resume();
      won(store, claim);
    }
  }

  /** Too much at once is refused before it is sent; nothing that was sent is given up. */
  @Test
  void flood_losesNoConnection() {
    try (PgFixture fixture = new PgFixture(PgOutageIT.class)) {
      PgRecordStore store = fixture.open();
      get(store.claim(Records.claim(Records.anyId())));
      String ours =
          "select string_agg(pid::text, ',' order by pid) from pg_stat_activity"
              + " where application_name = 'oncegate' and datname = current_database()";
      await().until(() -> String.valueOf(fixture.database.query(ours)).split(",").length == 5);
      String before = fixture.database.query(ours);
      List<Future<?>> asked = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        asked.add(store.claim(Records.claim(Records.anyId())));
      }
      await().until(() -> asked.stream().allMatch(Future::isComplete));
      assertThat(asked).filteredOn(Future::failed).isNotEmpty();
      assertThat(asked)
          .filteredOn(Future::failed)
          .extracting(Future::cause)
          .allMatch(StoreUnavailable.class::isInstance);
      assertThat(fixture.database.query(ours)).isEqualTo(before);
    }
  }

  @Test
  void fullQueue_isUnavailableAtOnce() {
    Vertx vertx = Vertx.vertx();
    PgRecordStore store =
        PgRecordStore.open(
            vertx,
            new PgConnectOptions().setHost("127.0.0.1").setPort(1).setDatabase("x").setUser("x"),
            new PgStoreSettings(
                1,
                1,
                1,
                3,
                Duration.ofMinutes(1),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)),
            System::nanoTime);
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(store.claim(Records.claim(Records.anyId())));
    }
    assertThatThrownBy(() -> get(store.claim(Records.claim(Records.anyId()))))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("full");
    assertThat(waiting).noneMatch(Future::isComplete);
    get(store.close());
    assertThatThrownBy(() -> get(waiting.get(0))).isInstanceOf(StoreUnavailable.class);
    get(vertx.close());
  }

  /** Each try waits for a connection by itself, up to the store's patience. */
  private static Won won(PgRecordStore store, Claim claim) {
    return await().ignoreExceptions().until(() -> won(get(store.claim(claim))), Objects::nonNull);
  }

  private static @Nullable Won won(ClaimOutcome outcome) {
    return outcome instanceof Won won ? won : null;
  }

  private static void assertUnavailable(List<Future<?>> asked) {
    await().until(() -> asked.stream().allMatch(Future::isComplete));
    assertThat(asked).allMatch(Future::failed);
    assertThat(asked).extracting(Future::cause).allMatch(StoreUnavailable.class::isInstance);
  }
}

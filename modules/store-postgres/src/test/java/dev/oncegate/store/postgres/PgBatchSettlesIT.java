package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.SettleOutcome.Fenced;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Settles that leave together. */
class PgBatchSettlesIT {
  private static PgFixture fixture;
  private static Turn turn;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgBatchSettlesIT.class);
    turn = Turn.open(fixture, fixture::open);
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  private record Owned(RecordId id, FencingToken token, StoredAnswer answer) {}

  @Test
  void completionsOfOneTurn_leaveAsOneStatementWithTheirBodies() {
    List<Owned> owned = owned(60);
    long before = turn.store.statements();
    List<Future<SettleOutcome>> asked = complete(owned);
    for (int i = 0; i < owned.size(); i++) {
      Done done = (Done) get(asked.get(i));
      Completed record = (Completed) get(turn.store.read(owned.get(i).id())).orElseThrow();
      assertThat(record.answer()).isEqualTo(owned.get(i).answer());
      assertThat(done.deadline()).isEqualTo(record.publishedDeadline());
    }
    assertThat(turn.store.statements() - before).isEqualTo(1);
    // Asked again they are done, and nothing is written.
    assertThat(complete(owned).stream().map(f -> get(f)).toList())
        .isEqualTo(asked.stream().map(f -> get(f)).toList());
  }

  @Test
  void largeBodies_leaveInSmallerBatches() {
    List<Owned> owned = new ArrayList<>();
    for (Owned one : owned(9)) {
      StoredBody body = new StoredBody.ByReference(Records.noise(300_000));
      owned.add(new Owned(one.id(), one.token(), Records.answer(201, body)));
    }
    long before = turn.store.statements();
    complete(owned).forEach(one -> assertThat(get(one)).isInstanceOf(Done.class));
    assertThat(turn.store.statements() - before).isEqualTo(3);
  }

  @Test
  void releasesAndUnknowns_areAStatementEach() {
    List<Owned> owned = owned(40);
    long before = turn.store.statements();
    List<Future<SettleOutcome>> asked =
        turn.ask(
            owned,
            one ->
                owned.indexOf(one) % 2 == 0
                    ? turn.store.release(one.id(), one.token())
                    : turn.store.markUnknown(one.id(), one.token(), "reset"));
    asked.forEach(one -> assertThat(get(one)).isEqualTo(new Done(null)));
    assertThat(turn.store.statements() - before).isEqualTo(2);
    for (int i = 0; i < owned.size(); i++) {
      if (i % 2 == 0) {
        assertThat(get(turn.store.read(owned.get(i).id()))).isEmpty();
      } else {
        assertThat(get(turn.store.read(owned.get(i).id()))).get().isInstanceOf(Unknown.class);
      }
    }
  }

  @Test
  void sameRecordTwiceInOneTurn_secondIsToldWhatTheFirstDid() {
    Owned one = owned(1).get(0);
    Owned other = new Owned(one.id(), one.token(), Records.answer("other"));
    List<Future<SettleOutcome>> asked = complete(List.of(one, other, one));
    assertThat(get(asked.get(0))).isInstanceOf(Done.class);
    assertThat(get(asked.get(1))).isEqualTo(new Fenced());
    assertThat(get(asked.get(2))).isEqualTo(get(asked.get(0)));
  }

  @Test
  void oldTokensAmongCurrentOnes_areFencedByThemselves() {
    List<Owned> owned = new ArrayList<>(owned(20));
    Owned fine = owned.get(5);
    owned.set(5, new Owned(fine.id(), new FencingToken(fine.token().value() - 1), fine.answer()));
    List<Future<SettleOutcome>> asked = complete(owned);
    for (int i = 0; i < owned.size(); i++) {
      assertThat(get(asked.get(i))).isInstanceOf(i == 5 ? Fenced.class : Done.class);
    }
  }

  @Test
  void poisonedRow_costsOnlyItself() {
    fixture.database.execute(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          raise check_violation using message = 'poisoned';
        end $$;
        create trigger refuses before update on record
          for each row when (new.status = 418) execute function refuse();
        """);
    try {
      List<Owned> owned = new ArrayList<>(owned(30));
      Owned tea = owned.get(17);
      StoredAnswer poison = Records.answer(418, new StoredBody.NotKept());
      owned.set(17, new Owned(tea.id(), tea.token(), poison));
      List<Future<SettleOutcome>> asked = complete(owned);
      for (int i = 0; i < owned.size(); i++) {
        Future<SettleOutcome> one = asked.get(i);
        if (i == 17) {
          assertThatThrownBy(() -> get(one)).isInstanceOf(BrokenInvariant.class);
        } else {
          assertThat(get(one)).isInstanceOf(Done.class);
        }
      }
    } finally {
      fixture.database.execute("drop trigger refuses on record; drop function refuse()");
    }
  }

  @Test
  void rowLockedByAStranger_onlyItsRowWaitsOn() throws SQLException {
    Turn hasty = Turn.open(fixture, () -> fixture.open(fixture.options(), PgFixture.HASTY));
    List<Owned> owned = owned(20);
    try (Connection rival = fixture.database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute(
          "select from record where id = '\\x" + owned.get(9).id().hex() + "' for update");
      List<Future<SettleOutcome>> asked =
          hasty.ask(owned, one -> hasty.store.complete(one.id(), one.token(), one.answer()));
      for (int i = 0; i < owned.size(); i++) {
        if (i != 9) {
          assertThat(get(asked.get(i))).isInstanceOf(Done.class);
        }
      }
      assertThat(asked.get(9).succeeded()).isFalse();
      rival.rollback();
    }
    // Told in time or not: repeated, it is done.
    assertThat(get(complete(List.of(owned.get(9))).get(0))).isInstanceOf(Done.class);
  }

  @Test
  void floodOfClaims_keepsNoOwnerFromFinishing() {
    List<Owned> owned = owned(100);
    List<Claim> flood = Turn.claims(4000);
    List<Future<?>> claimed = new ArrayList<>(turn.claim(flood));
    List<Future<SettleOutcome>> asked = complete(owned);
    // Counted on the store's own loop: this thread may come late.
    Future<Long> stillWaiting =
        Future.all(asked).map(done -> claimed.stream().filter(one -> !one.isComplete()).count());
    asked.forEach(one -> assertThat(get(one)).isInstanceOf(Done.class));
    assertThat(get(stillWaiting)).isPositive();
  }

  private static List<Owned> owned(int count) {
    List<Claim> claims = Turn.claims(count);
    List<Won> won = Turn.won(turn.claim(claims));
    List<Owned> owned = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StoredBody body =
          switch (i % 3) {
            case 0 -> new StoredBody.Inline(Records.noise(100 + i));
            case 1 -> new StoredBody.ByReference(Records.noise(9000 + i));
            default -> new StoredBody.NotKept();
          };
      owned.add(
          new Owned(claims.get(i).id(), won.get(i).token(), Records.answer(201 + i % 3, body)));
    }
    return owned;
  }

  private static List<Future<SettleOutcome>> complete(List<Owned> owned) {
    return turn.ask(owned, one -> turn.store.complete(one.id(), one.token(), one.answer()));
  }
}

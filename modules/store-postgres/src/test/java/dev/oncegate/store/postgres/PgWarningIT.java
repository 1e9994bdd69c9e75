package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import org.junit.jupiter.api.Test;

/**
 * A commit that comes with a warning, as one does whose wait for the standby was cut short. The
 * trigger is deferred: it warns at commit, after the inserted row has already been sent back.
 */
class PgWarningIT {
  @Test
  void claimCommittedWithAWarning_isNotWonAndIsWithdrawn() {
    try (PgFixture fixture = new PgFixture(PgWarningIT.class)) {
      PgRecordStore store = fixture.open();
      fixture.database.execute(
          """
          create function warn() returns trigger language plpgsql as $$
          begin
            raise warning 'committed locally, but might not have been replicated';
            return null;
          end $$;
          create constraint trigger warns after insert on record
            deferrable initially deferred for each row when (new.tenant = 'acme')
            execute function warn();
          """);
      Claim claim = Records.claim(Records.anyId());
      assertThatThrownBy(() -> get(store.claim(claim)))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("warning");
      await().untilAsserted(() -> assertThat(get(store.read(claim.id()))).isEmpty());

      fixture.database.execute("drop trigger warns on record");
      assertThat(get(store.claim(Records.claim(claim.id())))).isInstanceOf(Won.class);
    }
  }

  @Test
  void notice_isNoWarning() {
    try (PgFixture fixture = new PgFixture(PgWarningIT.class)) {
      PgRecordStore store = fixture.open();
      fixture.database.execute(
          """
          create function say() returns trigger language plpgsql as $$
          begin raise notice 'all is well'; return null; end $$;
          create trigger says after insert on record for each row execute function say();
          """);
      assertThat(get(store.claim(Records.claim(Records.anyId())))).isInstanceOf(Won.class);
    }
  }
}

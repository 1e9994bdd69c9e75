package dev.oncegate.store.postgres;

import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.RecordId;
import dev.oncegate.testkit.Records;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Transactions of others that stand in the way. */
final class Rivals {
  private Rivals() {}

  /** Inserts a claim without our lock and leaves the transaction open. */
  static void insertUncommitted(Connection rival, RecordId id) throws SQLException {
    rival.setAutoCommit(false);
    Claim claim = Records.claim(id);
    try (PreparedStatement insert =
        rival.prepareStatement(
            "insert into record (id, state, tenant, route, principal_tag, fingerprint_version,"
                + " fingerprint, policy, secret_id, token, claim_id, owner, claimed_at,"
                + " lease_until, retention_ms, tombstone_ms, inputs) values (?, 'claimed', 'acme',"
                + " 'charges', '', 1, ?, 'p', 's', next_token(), gen_random_uuid(), 'o', now(),"
                + " now() + interval '1 minute', 3600000, 0, '')")) {
      insert.setBytes(1, id.digest().array());
      insert.setBytes(2, claim.fingerprint().digest().array());
      insert.executeUpdate();
    }
  }

  /** Until somebody in this database waits for a lock. */
  static void awaitBlocked(PgFixture fixture) {
    await()
        .until(
            () ->
                !"0"
                    .equals(
                        fixture.database.query(
                            "select count(*) from pg_stat_activity where datname ="
                                + " current_database() and wait_event_type = 'Lock'")));
  }
}

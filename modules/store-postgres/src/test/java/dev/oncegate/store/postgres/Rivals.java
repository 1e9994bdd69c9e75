package dev.oncegate.store.postgres;

import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.RecordId;
import dev.oncegate.testkit.Records;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

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

  /**
   * Until somebody waits for this connection's own transaction; a statement of an earlier test that
   * still waits for something else does not count.
   */
  static void awaitBlockedBy(PgFixture fixture, Connection rival) throws SQLException {
    String pid;
    try (Statement statement = rival.createStatement();
        ResultSet own = statement.executeQuery("select pg_backend_pid()")) {
      own.next();
      pid = own.getString(1);
    }
    await()
        .until(
            () ->
                !"0"
                    .equals(
                        fixture.database.query(
                            "select count(*) from pg_stat_activity where "
                                + pid
                                + " = any(pg_blocking_pids(pid))")));
  }
}

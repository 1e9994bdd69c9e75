package dev.oncegate.store.postgres;

import dev.oncegate.core.RecordId;
import dev.oncegate.testkit.Records;

/** Rows by the thousand, written by SQL. */
final class Seeds {
  private static final String COLUMNS =
      "insert into record (id, state, tenant, route, principal_tag, fingerprint_version,"
          + " fingerprint, policy, secret_id, token, claim_id, owner, claimed_at, lease_until,"
          + " retention_ms, tombstone_ms, inputs, status, completed_at%s)"
          + " select sha256(('%s' || i)::bytea), '%s', '%s', 'charges', '', 1, sha256('A'), 'p',"
          + " 's', next_token(), gen_random_uuid(), 'o', at, at + interval '30 seconds', %d, %d,"
          + " '', 201, at%s from generate_series(1, %d) as i,"
          + " (select clock_timestamp() - interval '%s' as at) as t";

  private Seeds() {}

  /** Completed so long ago, with a small body each; found by the sweep at once. */
  static String completed(String tenant, int rows, String ago, long retention, long tombstone) {
    return COLUMNS.formatted(
        ", head, body_kind, body, digest, sealed",
        tenant,
        "completed",
        tenant,
        retention,
        tombstone,
        ", '', 'inline', 'a', sha256('a'), false",
        rows,
        ago);
  }

  /** Tombstones of what was completed so long ago. */
  static String expired(String tenant, int rows, String ago, long retention, long tombstone) {
    return COLUMNS.formatted("", tenant, "expired", tenant, retention, tombstone, "", rows, ago);
  }

  /** A claim written by hand, with its lease ending so long after the claim; none where null. */
  static String claimed(RecordId id, String leaseAfter) {
    String fingerprint = Records.claim(id).fingerprint().digest().hex();
    return "insert into record (id, state, tenant, route, principal_tag, fingerprint_version,"
        + " fingerprint, policy, secret_id, token, claim_id, owner, claimed_at, lease_until,"
        + " retention_ms, tombstone_ms, inputs) select '\\x"
        + id.hex()
        + "', 'claimed', 'acme', 'charges', '', 1, '\\x"
        + fingerprint
        + "', 'p', 's', next_token(), gen_random_uuid(), 'o', at, at + "
        + (leaseAfter == null ? "null" : "interval '" + leaseAfter + "'")
        + ", 3600000, 0, '' from (select now() as at) as t";
  }
}

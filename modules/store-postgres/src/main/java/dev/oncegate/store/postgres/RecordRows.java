package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordStore.RecordDamaged;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Row ↔ core types. A row that does not read as one of the four states, whole, is damaged: never
 * served, never executed (contract §10). Times are read as the database wrote them; its clock ticks
 * in microseconds.
 */
final class RecordRows {
  private static final Logger LOG = LoggerFactory.getLogger(RecordRows.class);

  static final String INLINE = "inline";
  static final String REFERENCE = "reference";
  static final String NONE = "none";

  /** A record without its body, with the clock at which it is to be judged. */
  static final String FACTS =
      """
       clock_timestamp() as now, r.id, r.state, r.tenant, r.route, r.principal_tag,
        r.fingerprint_version, r.fingerprint, r.policy, r.secret_id, r.token, r.claim_id, r.owner,
        r.claimed_at, r.lease_until, r.retention_ms, r.tombstone_ms, r.inputs, r.unknown_since,
        r.status, r.head, r.body_kind, r.digest, r.sealed, r.completed_at, r.reconstructed
      """;

  /** What {@link #record} reads, with the clock at which it is to be judged. */
  static final String COLUMNS = FACTS + ", r.body, b.bytes as body_bytes\n";

  /** The body by reference comes along; there is none to look for in any other row. */
  static final String WITH_BODY =
      """
        left join body b on b.id = r.id and r.state = 'completed' and r.body_kind = 'reference'
      """;

  private RecordRows() {}

  /** Whether the row holds a record at all. */
  static boolean holdsRecord(Row row) {
    return row.getBuffer("id") != null;
  }

  /** The database's clock when the row was read. */
  static Instant now(Row row) {
    return time(row, "now");
  }

  /** The record that this statement has just made of that claim, or null. */
  static @Nullable Claimed won(Row row, Claim claim) {
    Long token = row.getLong("won_token");
    if (token == null) {
      return null;
    }
    ClaimFacts facts = claim.facts(new FencingToken(token), time(row, "won_at"));
    return new Claimed(facts, time(row, "won_until"));
  }

  /**
   * The record as it is written, not yet aged.
   *
   * @throws RecordDamaged where the row cannot be read; its message names no key and no content
   */
  static IdempotencyRecord record(Row row) {
    return record(row, true);
  }

  /** The same where bodies were left behind: a completed record says that its body is not kept. */
  static IdempotencyRecord withoutBody(Row row) {
    return record(row, false);
  }

  /**
   * The same, empty where it is damaged: one bad row hides no other from those who look at many.
   */
  static Optional<IdempotencyRecord> readable(Row row) {
    try {
      return Optional.of(withoutBody(row));
    } catch (RecordDamaged e) {
      LOG.warn("a record cannot be read: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static IdempotencyRecord record(Row row, boolean whole) {
    try {
      return read(row, whole);
    } catch (BrokenInvariant | ClassCastException | ArithmeticException e) {
      throw new RecordDamaged(e.getMessage() == null ? "a column's type" : e.getMessage());
    }
  }

  private static IdempotencyRecord read(Row row, boolean whole) {
    ClaimFacts facts = facts(row);
    String state = needed(row.getString("state"), "state");
    return switch (state) {
      case "claimed" -> new Claimed(facts, time(row, "lease_until"));
      case "unknown" -> new IdempotencyRecord.Unknown(facts, time(row, "unknown_since"));
      case "completed" ->
          new IdempotencyRecord.Completed(
              facts,
              answer(row, whole),
              time(row, "completed_at"),
              needed(row.getBoolean("reconstructed"), "reconstructed"));
      case "expired" -> new IdempotencyRecord.Expired(facts, time(row, "completed_at"));
      default -> throw new RecordDamaged("its state is none of ours");
    };
  }

  private static ClaimFacts facts(Row row) {
    return new ClaimFacts(
        new RecordId(bytes(row, "id")),
        needed(row.getString("tenant"), "tenant"),
        needed(row.getString("route"), "route"),
        bytes(row, "principal_tag"),
        new Fingerprint(
            needed(row.getInteger("fingerprint_version"), "fingerprint_version"),
            bytes(row, "fingerprint")),
        needed(row.getString("policy"), "policy"),
        needed(row.getString("secret_id"), "secret_id"),
        new FencingToken(needed(row.getLong("token"), "token")),
        needed(row.getUUID("claim_id"), "claim_id"),
        needed(row.getString("owner"), "owner"),
        time(row, "claimed_at"),
        Duration.ofMillis(needed(row.getLong("retention_ms"), "retention_ms")),
        Duration.ofMillis(needed(row.getLong("tombstone_ms"), "tombstone_ms")),
        bytes(row, "inputs"));
  }

  private static StoredAnswer answer(Row row, boolean whole) {
    return new StoredAnswer(
        needed(row.getShort("status"), "status"),
        bytes(row, "head"),
        whole ? body(row) : new StoredBody.NotKept(),
        bytes(row, "digest"),
        needed(row.getBoolean("sealed"), "sealed"));
  }

  private static StoredBody body(Row row) {
    String kind = needed(row.getString("body_kind"), "body_kind");
    return switch (kind) {
      case INLINE -> new StoredBody.Inline(bytes(row, "body"));
      case REFERENCE -> new StoredBody.ByReference(bytes(row, "body_bytes"));
      case NONE -> new StoredBody.NotKept();
      default -> throw new RecordDamaged("its body is kept in no way of ours");
    };
  }

  private static Bytes bytes(Row row, String column) {
    return Bytes.wrap(needed(row.getBuffer(column), column).getBytes());
  }

  static Instant time(Row row, String column) {
    return needed(row.getOffsetDateTime(column), column).toInstant();
  }

  static RecordId id(Buffer digest) {
    return new RecordId(Bytes.wrap(digest.getBytes()));
  }

  private static <T> T needed(@Nullable T value, String column) {
    if (value == null) {
      throw new RecordDamaged(column + " is missing");
    }
    return value;
  }
}

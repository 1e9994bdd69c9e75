package dev.oncegate.testkit;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;

/** Claims and answers for tests, alike wherever a test does not say otherwise. */
public final class Records {
  /** How long the leases of {@link #claim} last. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  /** The retention of {@link #claim}. */
  public static final Duration RETENTION = Duration.ofHours(1);

  /** The tombstone of {@link #claim}. */
  public static final Duration TOMBSTONE = Duration.ofHours(2);

  /** The policy version that {@link #claim} names. */
  public static final String POLICY = "policy-1";

  /** The secret that {@link #claim} names. */
  public static final String SECRET = "secret-1";

  private Records() {}

  /** An id that no other test has. */
  public static RecordId anyId() {
    UUID random = UUID.randomUUID();
    return new RecordId(
        digest(
            ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array()));
  }

  /** A new attempt to claim the id for the payload "A", by the built-in times. */
  public static Claim claim(RecordId id) {
    return claim(id, "A");
  }

  /** The same with another payload. */
  public static Claim claim(RecordId id, String payload) {
    return claim(id, payload, LEASE, RETENTION, TOMBSTONE);
  }

  /** A new attempt to claim with all that tests vary. */
  public static Claim claim(
      RecordId id, String payload, Duration lease, Duration retention, Duration tombstone) {
    Fingerprint fingerprint = new Fingerprint(1, digest(payload.getBytes(StandardCharsets.UTF_8)));
    return new Claim(
        id,
        "acme",
        "charges",
        Bytes.wrap(new byte[] {1, 2, 3}),
        fingerprint,
        facts -> facts.fingerprint().equals(fingerprint),
        POLICY,
        SECRET,
        UUID.randomUUID(),
        "oncegate.owner.test.0",
        lease,
        retention,
        tombstone,
        Bytes.wrap(new byte[] {9, 0, (byte) 0xff}));
  }

  /** The same claim of another tenant and route. */
  public static Claim of(String tenant, String route, Claim claim) {
    return new Claim(
        claim.id(),
        tenant,
        route,
        claim.principalTag(),
        claim.fingerprint(),
        claim.matcher(),
        claim.policy(),
        claim.secretId(),
        claim.claimId(),
        claim.owner(),
        claim.leaseTtl(),
        claim.retention(),
        claim.tombstone(),
        claim.inputs());
  }

  /** A 201 whose body is kept in the record. */
  public static StoredAnswer answer(String body) {
    return answer(201, new StoredBody.Inline(Bytes.wrap(body.getBytes(StandardCharsets.UTF_8))));
  }

  /** An answer with a digest that fits its body. */
  public static StoredAnswer answer(int status, StoredBody body) {
    byte[] bytes = new byte[0];
    if (body instanceof StoredBody.Inline inline) {
      bytes = inline.bytes().array();
    } else if (body instanceof StoredBody.ByReference reference) {
      bytes = reference.bytes().array();
    }
    ByteBuffer digested = ByteBuffer.allocate(4 + bytes.length).putInt(status).put(bytes);
    return new StoredAnswer(
        status,
        Bytes.wrap(new byte[] {0, 1, 2, (byte) 0x80}),
        body,
        digest(digested.array()),
        true);
  }

  /** Bytes that do not compress, the same for the same count. */
  public static Bytes noise(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static Bytes digest(byte[] bytes) {
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

package dev.oncegate.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error answer of Oncegate's own (RFC 9457).
 *
 * @param type one of a closed list
 * @param code HTTP status; the type's own but for {@code attempt-released}
 * @param detail what happened and what to do, in a sentence; no key, no payload
 * @param retryDeadline of the record, where there is one
 * @param retryAfter how long to wait before the same key is sent again
 * @param original the winner's answer, where its body was not kept or it was released
 */
public record Problem(
    Type type,
    int code,
    String detail,
    IdempotencyStatus status,
    Optional<Instant> retryDeadline,
    Optional<Duration> retryAfter,
    Optional<Original> original) {

  /**
   * What is known of the winner's answer.
   *
   * @param location its Location header
   */
  public record Original(int status, Optional<String> location) {}

  /** A problem with the type's usual code and status. */
  public static Problem of(Type type, String detail) {
    return new Problem(
        type, type.code, detail, type.status, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Problem withStatus(IdempotencyStatus other) {
    return new Problem(type, code, detail, other, retryDeadline, retryAfter, original);
  }

  /** The same under another HTTP status. */
  public Problem withCode(int other) {
    return new Problem(type, other, detail, status, retryDeadline, retryAfter, original);
  }

  public Problem withDeadline(@Nullable Instant deadline) {
    return new Problem(
        type, code, detail, status, Optional.ofNullable(deadline), retryAfter, original);
  }

  public Problem withRetryAfter(Duration wait) {
    return new Problem(type, code, detail, status, retryDeadline, Optional.of(wait), original);
  }

  public Problem withOriginal(Original answer) {
    return new Problem(type, code, detail, status, retryDeadline, retryAfter, Optional.of(answer));
  }

  /** May the client send the same key again and expect more of it? */
  public boolean retrySameKey() {
    return type.retrySameKey;
  }

  /** Is it certain that no effect of this key exists or can appear? (reliability S20) */
  public boolean newKeySafe() {
    return type.newKeySafe;
  }

  /**
   * The closed list of contract §4. {@code newKeySafe} is true only where a key was never usable:
   * every other refusal may concern a key that an earlier request had executed.
   */
  public enum Type {
    KEY_MISSING(
        400, "key-missing", "Idempotency key missing", IdempotencyStatus.REFUSED, false, true),
    KEY_MALFORMED(
        400, "key-malformed", "Idempotency key malformed", IdempotencyStatus.REFUSED, false, true),
    REFERENCE_MISSING(
        400,
        "reference-missing",
        "Business reference missing",
        IdempotencyStatus.REFUSED,
        false,
        false),
    HOST_INVALID(
        400, "host-invalid", "Host header invalid", IdempotencyStatus.REFUSED, false, false),
    REQUEST_MALFORMED(
        400, "request-malformed", "Request malformed", IdempotencyStatus.REFUSED, false, false),
    CREDENTIALS_INVALID(
        401, "credentials-invalid", "Credentials invalid", IdempotencyStatus.REFUSED, true, false),
    TENANT_UNKNOWN(
        404, "tenant-unknown", "Tenant unknown", IdempotencyStatus.REFUSED, false, false),
    ROUTE_UNKNOWN(404, "route-unknown", "Route unknown", IdempotencyStatus.REFUSED, false, false),
    OPERATION_ABSENT(
        404, "operation-absent", "No such operation", IdempotencyStatus.REFUSED, true, false),
    REQUEST_TIMEOUT(
        408, "request-timeout", "Request took too long", IdempotencyStatus.REFUSED, true, false),
    IN_FLIGHT(
        409, "in-flight", "The first request still runs", IdempotencyStatus.IN_FLIGHT, true, false),
    OUTCOME_UNKNOWN(
        409, "outcome-unknown", "Outcome unknown", IdempotencyStatus.UNKNOWN, true, false),
    CREDENTIAL_CHANGED(
        409,
        "credential-changed",
        "Key used under another credential",
        IdempotencyStatus.REFUSED,
        false,
        false),
    OPERATION_EXISTS(
        409,
        "operation-exists",
        "Operation already done under another key",
        IdempotencyStatus.REFUSED,
        false,
        false),
    RESPONSE_NOT_KEPT(
        409,
        "response-not-kept",
        "Executed, answer not kept",
        IdempotencyStatus.REPLAYED,
        false,
        false),
    RETRY_DEADLINE_PASSED(
        410,
        "retry-deadline-passed",
        "Retry deadline passed",
        IdempotencyStatus.EXPIRED,
        false,
        false),
    BODY_TOO_LARGE(
        413, "body-too-large", "Request body too large", IdempotencyStatus.REFUSED, false, false),
    EXPECTATION_FAILED(
        417, "expectation-failed", "Expectation failed", IdempotencyStatus.REFUSED, false, false),
    KEY_REUSED(
        422,
        "key-reused",
        "Key belongs to another request",
        IdempotencyStatus.MISMATCH,
        false,
        false),
    PRECONDITION_REQUIRED(
        428,
        "precondition-required",
        "Precondition required",
        IdempotencyStatus.REFUSED,
        false,
        false),
    TENANT_QUOTA(
        429, "tenant-quota", "Tenant quota reached", IdempotencyStatus.REFUSED, true, false),
    HEADERS_TOO_LARGE(
        431,
        "headers-too-large",
        "Request headers too large",
        IdempotencyStatus.REFUSED,
        false,
        false),
    RECORD_DAMAGED(
        500, "record-damaged", "Stored record damaged", IdempotencyStatus.UNKNOWN, true, false),
    INTERNAL_ERROR(500, "internal-error", "Internal error", IdempotencyStatus.REFUSED, true, false),
    UPSTREAM_UNREACHABLE(
        502,
        "upstream-unreachable",
        "Upstream unreachable",
        IdempotencyStatus.RELEASED,
        true,
        false),
    UPSTREAM_RESET(
        502, "upstream-reset", "Upstream broke off", IdempotencyStatus.UNKNOWN, true, false),
    ATTEMPT_RELEASED(
        503,
        "attempt-released",
        "The attempt was released",
        IdempotencyStatus.RELEASED,
        true,
        false),
    STORE_UNAVAILABLE(
        503,
        "store-unavailable",
        "Record store unavailable",
        IdempotencyStatus.REFUSED,
        true,
        false),
    DRAINING(503, "draining", "Draining", IdempotencyStatus.REFUSED, true, false),
    OUTCOME_NOT_STORED(
        503, "outcome-not-stored", "Outcome not stored", IdempotencyStatus.UNKNOWN, true, false),
    UPSTREAM_TIMEOUT(
        504,
        "upstream-timeout",
        "Upstream has not answered yet",
        IdempotencyStatus.IN_FLIGHT,
        true,
        false);

    private final int code;
    private final String slug;
    private final String title;
    private final IdempotencyStatus status;
    private final boolean retrySameKey;
    private final boolean newKeySafe;

    Type(
        int code,
        String slug,
        String title,
        IdempotencyStatus status,
        boolean retrySameKey,
        boolean newKeySafe) {
      this.code = code;
      this.slug = slug;
      this.title = title;
      this.status = status;
      this.retrySameKey = retrySameKey;
      this.newKeySafe = newKeySafe;
    }

    public String slug() {
      return slug;
    }

    public String title() {
      return title;
    }

    /** The {@code type} member. */
    public String urn() {
      return "urn:oncegate:problem:" + slug;
    }
  }
}

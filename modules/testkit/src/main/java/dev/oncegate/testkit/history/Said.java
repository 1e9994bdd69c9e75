package dev.oncegate.testkit.history;

/** What an answer says of its request (reliability §6, classes F to X). */
public enum Said {
  /** F: forwarded for this request, outcome stored. */
  EXECUTED,
  /** F: the stored outcome. */
  REPLAYED,
  /** N: not admitted. */
  REFUSED,
  /** N: the key belongs to another payload. */
  MISMATCH,
  /** N: surely not sent. */
  UNREACHABLE,
  /** N: the winner was released. */
  ATTEMPT_RELEASED,
  /** T: the upstream's own answer, nothing stored. */
  TRANSIENT,
  /** W: somebody else's exchange runs. */
  IN_FLIGHT,
  /** 504: this request's own exchange runs on. */
  STILL_RUNNING,
  /** U. */
  UNKNOWN,
  /** E: past the deadline. */
  EXPIRED,
  /** X: no answer. */
  NOTHING;

  /**
   * The class of an answer.
   *
   * @param slug of a problem of Oncegate's own; empty for answers of the upstream
   * @param outcome value of {@code Idempotency-Status}
   */
  public static Said of(String slug, String outcome) {
    return switch (outcome) {
      case "executed" -> EXECUTED;
      case "replayed" -> REPLAYED;
      case "refused" -> REFUSED;
      case "mismatch" -> MISMATCH;
      case "unknown" -> UNKNOWN;
      case "expired" -> EXPIRED;
      case "in-flight" -> slug.equals("upstream-timeout") ? STILL_RUNNING : IN_FLIGHT;
      case "released" ->
          switch (slug) {
            case "" -> TRANSIENT;
            case "attempt-released" -> ATTEMPT_RELEASED;
            default -> UNREACHABLE;
          };
      default -> throw new IllegalArgumentException("no answer of a keyed route: " + outcome);
    };
  }

  /** Whether it carries the stored outcome. */
  public boolean isFinal() {
    return this == EXECUTED || this == REPLAYED;
  }

  /** Whether a client that got it need not ask again. */
  public boolean isDefinite() {
    return isFinal() || this == EXPIRED || this == MISMATCH;
  }

  /** Whether it says that the upstream has not heard of this request. */
  boolean deniesSend() {
    return this == REFUSED || this == UNREACHABLE || this == ATTEMPT_RELEASED;
  }

  /** Whether it says that this request has had no effect, as far as the record tells. */
  boolean deniesEffect() {
    return this == IN_FLIGHT || this == EXPIRED || this == REPLAYED;
  }

  /** Whether only the holder of a claim is told so. */
  boolean needsClaim() {
    return this == STILL_RUNNING || this == UNREACHABLE;
  }
}

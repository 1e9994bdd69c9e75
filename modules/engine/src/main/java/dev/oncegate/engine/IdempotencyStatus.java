package dev.oncegate.engine;

/** The nine values of the {@code Idempotency-Status} header (contract §4). */
public enum IdempotencyStatus {
  EXECUTED("executed"),
  REPLAYED("replayed"),
  RELEASED("released"),
  IN_FLIGHT("in-flight"),
  UNKNOWN("unknown"),
  MISMATCH("mismatch"),
  EXPIRED("expired"),
  REFUSED("refused"),
  BYPASSED("bypassed");

  private final String header;

  IdempotencyStatus(String header) {
    this.header = header;
  }

  /** The header's value. */
  public String header() {
    return header;
  }

  /** The metric's label value. */
  public String label() {
    return header.replace('-', '_');
  }
}

package dev.oncegate.testkit.sim;

/** An invariant of the reliability page does not hold. */
public final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  /**
   * A violation.
   *
   * @param invariant such as {@code S1}
   */
  Violation(String invariant, String what) {
    super(invariant + ": " + what);
    this.invariant = invariant;
  }

  public String invariant() {
    return invariant;
  }
}

package dev.oncegate.testkit.history;

/**
 * One thing that is wrong.
 *
 * @param subject the key, tenant or count that it concerns
 */
public record Violation(Check check, String subject, String text) {
  @Override
  public String toString() {
    return check + " " + subject + ": " + text;
  }
}

package dev.oncegate.tenants;

import java.util.Comparator;
import java.util.List;

/**
 * Something to say about a configuration file: where it stands, what is wrong, what would be right.
 *
 * @param where the tenant, route and key in the file's own words, such as {@code
 *     acme-payments/create-charge fingerprint.body}; empty for the file as a whole
 * @param message what is wrong with the value found, then after a semicolon what would be right
 */
public record Finding(Position at, Severity severity, String where, String message) {
  /** Whether a finding refuses the file. */
  public enum Severity {
    ERROR,
    WARNING,
    NOTE
  }

  /** What refuses the file. */
  public static Finding error(Position at, String where, String message) {
    return new Finding(at, Severity.ERROR, where, message);
  }

  static Finding warning(Position at, String where, String message) {
    return new Finding(at, Severity.WARNING, where, message);
  }

  static Finding note(Position at, String where, String message) {
    return new Finding(at, Severity.NOTE, where, message);
  }

  /** Whether this finding refuses the file. */
  public boolean refuses() {
    return severity == Severity.ERROR;
  }

  /** By file, line and column, each text once. */
  public static List<Finding> sorted(List<Finding> findings) {
    return findings.stream()
        .distinct()
        .sorted(Comparator.comparing(Finding::at).thenComparing(Finding::toString))
        .toList();
  }

  /** {@code file:line:column: [warning: |note: ]where: message}. */
  @Override
  public String toString() {
    String mark =
        switch (severity) {
          case ERROR -> "";
          case WARNING -> "warning: ";
          case NOTE -> "note: ";
        };
    return at + ": " + mark + (where.isEmpty() ? "" : where + ": ") + message;
  }
}

package dev.oncegate.tenants;

import dev.oncegate.core.Outcome;
import java.util.Locale;

/** The names that the file gives to the lists of statuses. */
final class OutcomeLists {
  private OutcomeLists() {}

  /** {@code terminal}, {@code transient} or {@code ambiguous}. */
  static String name(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}

package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what the checks of merged policy find. A value that many routes inherit is blamed once,
 * under the first route that it reaches.
 */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  void error(Position at, String where, String message) {
    add(Finding.error(at, where, message));
  }

  void warning(Position at, String where, String message) {
    add(Finding.warning(at, where, message));
  }

  void note(Position at, String where, String message) {
    add(Finding.note(at, where, message));
  }

  private void add(Finding finding) {
    boolean known =
        all.stream()
            .anyMatch(
                other ->
                    other.at().equals(finding.at())
                        && other.severity() == finding.severity()
                        && other.message().equals(finding.message()));
    if (!known) {
      all.add(finding);
    }
  }

  boolean refuse() {
    return all.stream().anyMatch(Finding::refuses);
  }

  List<Finding> all() {
    return List.copyOf(all);
  }
}

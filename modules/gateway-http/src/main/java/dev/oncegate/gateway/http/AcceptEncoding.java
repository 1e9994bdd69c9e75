package dev.oncegate.gateway.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which content codings a client takes (RFC 9110 §12.5.3). */
final class AcceptEncoding {
  private final Map<String, Boolean> listed = new HashMap<>();

  /** Without the header every coding is taken. */
  private final boolean present;

  private AcceptEncoding(boolean present) {
    this.present = present;
  }

  /**
   * Reads the header.
   *
   * @param lines the values of all its lines
   */
  static AcceptEncoding parse(List<String> lines) {
    AcceptEncoding accept = new AcceptEncoding(!lines.isEmpty());
    for (String line : lines) {
      for (String element : line.split(",", -1)) {
        accept.add(element);
      }
    }
    return accept;
  }

  private void add(String element) {
    String[] parts = element.split(";", -1);
    String coding = canonical(parts[0]);
    if (!coding.isEmpty()) {
      // Of two entries for one coding the friendlier counts: a body is never withheld by a typo.
      listed.merge(coding, !isZero(parts), Boolean::logicalOr);
    }
  }

  /** A weight of 0, 0.0, 0.00 or 0.000; what cannot be read counts as 1. */
  private static boolean isZero(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        return parameter.substring(2).strip().matches("0(\\.0{0,3})?");
      }
    }
    return false;
  }

  /** Whether a body in this coding may be sent. */
  boolean takes(String coding) {
    if (!present) {
      return true;
    }
    Boolean own = listed.get(canonical(coding));
    return own != null ? own : listed.getOrDefault("*", false);
  }

  /** Whether a body without a coding may be sent: unless it is ruled out. */
  boolean takesIdentity() {
    Boolean own = listed.get("identity");
    return own != null ? own : listed.getOrDefault("*", true);
  }

  private static String canonical(String coding) {
    String lower = coding.strip().toLowerCase(Locale.ROOT);
    return lower.startsWith("x-") ? lower.substring(2) : lower;
  }
}

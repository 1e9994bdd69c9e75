package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Check 27, second half: amounts whose sums and products would not fit are refused before anything
 * is computed with them.
 */
final class RangeCheck {
  private static final Set<String> DURATIONS =
      Set.of(
          "ttl",
          "renewEvery",
          "connect",
          "poolWait",
          "firstByte",
          "total",
          "abandon",
          "idleTimeout",
          "firstBackoff",
          "maxBackoff",
          "humanReplayWindow",
          "fixed",
          "tombstone",
          "maxWait",
          "quarantine",
          "every",
          "giveUpAfter",
          "window",
          "openFor");

  /** A keyed request and a stored body are held in memory in one piece. */
  private static final long LARGEST_BODY = 1L << 30;

  private static final Set<String> SIZES = Set.of("maxRequest", "inline", "max");

  private static final long MOST = 1_000_000;
  private static final Set<String> COUNTS =
      Set.of(
          "maxConnections",
          "maxWaitQueue",
          "maxWaitersPerKey",
          "maxWaitersPerTenant",
          "maxInFlight",
          "burst",
          "probesPerSecond");

  private RangeCheck() {}

  static void check(YamlTree tree, Findings findings) {
    walk(tree, tree.root(), "", findings);
  }

  private static void walk(YamlTree tree, JsonNode node, String pointer, Findings findings) {
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        walk(tree, node.get(i), Pointers.child(pointer, i), findings);
      }
      return;
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!entry.getKey().startsWith("x-")) {
        String child = Pointers.child(pointer, entry.getKey());
        judge(tree, entry.getKey(), entry.getValue(), child, findings);
        walk(tree, entry.getValue(), child, findings);
      }
    }
  }

  private static void judge(
      YamlTree tree, String key, JsonNode value, String pointer, Findings findings) {
    String limit = "";
    if (DURATIONS.contains(key) && value.isTextual() && Units.millis(value.asText()).isEmpty()) {
      limit = "36500d, the longest duration";
    } else if (SIZES.contains(key) && value.isTextual()) {
      OptionalLong bytes = Units.bytes(value.asText());
      if (bytes.isEmpty() || bytes.getAsLong() > LARGEST_BODY) {
        limit = "1GiB, the most that is held of one body";
      }
    } else if (key.equals("maxStoredBytes")
        && value.isTextual()
        && Units.bytes(value.asText()).isEmpty()) {
      limit = "2097152TiB, the largest size";
    } else if (COUNTS.contains(key) && value.isNumber() && value.asDouble() > MOST) {
      limit = MOST + ", the highest number here";
    }
    if (!limit.isEmpty()) {
      findings.error(
          tree.value(pointer),
          tree.where(pointer),
          Shown.value(value) + " is more than " + limit + "; use less");
    }
  }
}

package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Refuses what the format knows and this release does not do: a setting that is ignored in silence
 * would be a promise that nobody keeps.
 */
final class SupportCheck {
  /** On which level of the file a rule applies. */
  private enum Level {
    TENANT,
    MATCH,
    ROUTE,
    /** The file's defaults, a tenant's defaults and a route. */
    POLICY,
    /** The file's defaults and a tenant. */
    FILE_AND_TENANT
  }

  /**
   * One thing that is not there yet.
   *
   * @param path keys below the level
   * @param atValue whether the value is at fault, and not the key
   * @param refused which values are refused
   */
  private record Rule(
      Level level, String path, String what, boolean atValue, Predicate<JsonNode> refused) {}

  private static final List<Rule> RULES =
      List.of(
          whole(Level.FILE_AND_TENANT, "quotas/ratePerSecond", "a limit on the rate of requests"),
          whole(Level.FILE_AND_TENANT, "quotas/burst", "a limit on the rate of requests"),
          whole(Level.FILE_AND_TENANT, "quotas/maxInFlight", "a limit on exchanges at one time"),
          whole(Level.FILE_AND_TENANT, "quotas/maxLiveKeys", "a limit on live keys"),
          whole(Level.FILE_AND_TENANT, "quotas/maxStoredBytes", "a limit on stored bytes"),
          whole(Level.MATCH, "header", "matching by header"),
          whole(Level.MATCH, "fromCidrs", "matching by network"),
          whole(Level.TENANT, "principal/jwt", "a principal from a JWT"),
          whole(Level.TENANT, "principal/header", "a principal from a header"),
          whole(Level.TENANT, "principal/boundTo", "keys bound to a credential"),
          whole(Level.TENANT, "upstream/breaker", "circuit breakers"),
          value(
              Level.ROUTE,
              "mode",
              "mode",
              mode -> Set.of("natural", "conditional").contains(mode.asText())),
          value(Level.ROUTE, "observe", "observing without enforcing", isTrue()),
          whole(Level.ROUTE, "businessReference", "business references"),
          whole(Level.ROUTE, "reauthorize", "asking again before a replay"),
          whole(Level.POLICY, "privacy/keyset", "keys of the tenant's own"),
          value(
              Level.POLICY,
              "privacy/omitFromStore",
              "leaving members out of the store",
              list -> !list.isEmpty()));

  private SupportCheck() {}

  private static Rule whole(Level level, String path, String what) {
    return new Rule(level, path, what, false, value -> true);
  }

  private static Rule value(Level level, String path, String what, Predicate<JsonNode> refused) {
    return new Rule(level, path, what, true, refused);
  }

  private static Predicate<JsonNode> isTrue() {
    return JsonNode::asBoolean;
  }

  /** Judges a tree whose shape is right. */
  static List<Finding> check(YamlTree tree) {
    List<Finding> findings = new ArrayList<>();
    apply(tree, "/defaults", Set.of(Level.POLICY, Level.FILE_AND_TENANT), findings);
    JsonNode tenants = tree.root().path("tenants");
    for (int t = 0; t < tenants.size(); t++) {
      String tenant = "/tenants/" + t;
      apply(tree, tenant, Set.of(Level.TENANT, Level.FILE_AND_TENANT), findings);
      apply(tree, tenant + "/defaults", Set.of(Level.POLICY), findings);
      for (int m = 0; m < tenants.get(t).path("match").size(); m++) {
        apply(tree, tenant + "/match/" + m, Set.of(Level.MATCH), findings);
      }
      for (int r = 0; r < tenants.get(t).path("routes").size(); r++) {
        apply(tree, tenant + "/routes/" + r, Set.of(Level.ROUTE, Level.POLICY), findings);
      }
    }
    return Finding.sorted(findings);
  }

  private static void apply(
      YamlTree tree, String level, Set<Level> levels, List<Finding> findings) {
    for (Rule rule : RULES) {
      String pointer = level + "/" + rule.path;
      JsonNode value = tree.at(pointer);
      if (!levels.contains(rule.level) || value.isMissingNode() || !rule.refused.test(value)) {
        continue;
      }
      String shown = rule.atValue && value.isTextual() ? " " + Shown.value(value) : "";
      findings.add(
          Finding.error(
              rule.atValue ? tree.value(pointer) : tree.key(pointer),
              tree.where(pointer),
              "not supported yet: "
                  + rule.what
                  + shown
                  + "; "
                  + (rule.atValue ? "use another value" : "remove it")));
    }
  }
}

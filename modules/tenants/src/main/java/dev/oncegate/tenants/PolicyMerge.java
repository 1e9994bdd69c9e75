package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oncegate.core.BrokenInvariant;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges the levels of policy (contract §7): built-in values, the file's {@code defaults}, the
 * tenant's {@code defaults}, the route. Maps merge; lists and scalars replace.
 */
final class PolicyMerge {
  /** The keys of a route that are policy, as opposed to its identity; some stand there alone. */
  private static final Set<String> POLICY =
      Set.of(
          "key",
          "fingerprint",
          "outcome",
          "lease",
          "park",
          "body",
          "capture",
          "headers",
          "privacy",
          "retention",
          "businessReference",
          "upstreamKey",
          "probe",
          "reauthorize",
          "observe",
          "conditional",
          "deleteGone");

  /** Its keys are names of headers, which may start as notes do. */
  private static final String PROBE_HEADERS = "/probe/request/headers";

  private final YamlTree builtIn;

  private PolicyMerge(YamlTree builtIn) {
    this.builtIn = builtIn;
  }

  /** Reads the built-in level from the class path. */
  static PolicyMerge load() {
    try (InputStream in = PolicyMerge.class.getResourceAsStream("built-in.yaml")) {
      if (in == null) {
        throw new BrokenInvariant("the built-in policy is not on the class path");
      }
      return new PolicyMerge(
          YamlReader.read("built-in", in.readAllBytes())
              .tree()
              .orElseThrow(() -> new BrokenInvariant("the built-in policy is no YAML")));
    } catch (IOException e) {
      throw new BrokenInvariant("the built-in policy cannot be read");
    }
  }

  /**
   * The merged policy of one route.
   *
   * @param main the main file, whose {@code defaults} reach every tenant
   * @param file the file that the tenant stands in
   */
  Merged merge(YamlTree main, YamlTree file, int tenant, int route) {
    String tenantAt = "/tenants/" + tenant;
    String routeAt = tenantAt + "/routes/" + route;
    return merge(
        file.where(routeAt),
        List.of(
            new Merged.Source(Merged.Level.BUILT_IN, builtIn, ""),
            new Merged.Source(Merged.Level.FILE, main, "/defaults"),
            new Merged.Source(Merged.Level.TENANT, file, tenantAt + "/defaults"),
            new Merged.Source(Merged.Level.ROUTE, file, routeAt)));
  }

  /**
   * A policy that was merged before, perhaps by an older release: what it does not have yet is
   * built in.
   */
  Merged archived(JsonNode policy) {
    YamlTree tree = new YamlTree("the archive", policy, Map.of(), Map.of());
    return merge(
        "the archive",
        List.of(
            new Merged.Source(Merged.Level.BUILT_IN, builtIn, ""),
            new Merged.Source(Merged.Level.ROUTE, tree, "")));
  }

  private static Merged merge(String label, List<Merged.Source> levels) {
    Merging merging = new Merging();
    for (Merged.Source level : levels) {
      JsonNode from = level.tree().at(level.pointer());
      from.fieldNames()
          .forEachRemaining(
              name -> {
                if (POLICY.contains(name)) {
                  merging.put(merging.values, "", name, below(level, name));
                }
              });
    }
    return merging.merged(label);
  }

  private static Merged.Source below(Merged.Source source, String key) {
    return new Merged.Source(source.level(), source.tree(), Pointers.child(source.pointer(), key));
  }

  /** One merge under way. */
  private static final class Merging {
    private final ObjectNode values = JsonNodeFactory.instance.objectNode();
    private final Map<String, Merged.Source> sources = new HashMap<>();
    private final Map<String, List<Merged.Source>> replaced = new HashMap<>();

    Merged merged(String label) {
      return new Merged(label, values, sources, replaced);
    }

    void put(ObjectNode into, String at, String name, Merged.Source source) {
      // Notes are free on every level and no policy; among headers there are none.
      if (name.startsWith("x-") && !at.equals(PROBE_HEADERS)) {
        return;
      }
      String pointer = Pointers.child(at, name);
      JsonNode value = source.tree().at(source.pointer());
      if (value.isObject()) {
        sources.put(pointer, source);
        ObjectNode child =
            into.get(name) instanceof ObjectNode existing ? existing : into.putObject(name);
        value.fieldNames().forEachRemaining(key -> put(child, pointer, key, below(source, key)));
        return;
      }
      Merged.Source before = sources.get(pointer);
      if (before != null) {
        replaced.computeIfAbsent(pointer, p -> new ArrayList<>()).add(0, before);
      }
      sources.keySet().removeIf(known -> known.startsWith(pointer + "/"));
      into.set(name, value);
      remember(pointer, value, source);
    }

    private void remember(String pointer, JsonNode value, Merged.Source source) {
      sources.put(pointer, source);
      for (int i = 0; value.isArray() && i < value.size(); i++) {
        remember(Pointers.child(pointer, i), value.get(i), below(source, String.valueOf(i)));
      }
    }
  }
}

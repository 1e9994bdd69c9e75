package dev.oncegate.app.config;

import dev.oncegate.tenants.Finding;
import dev.oncegate.tenants.Position;
import dev.oncegate.tenants.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which keys a settings file may have. */
final class FileKeys {
  private FileKeys() {}

  /** Faults of the keys; the values are the settings' own business. */
  static List<Finding> check(Map<String, Given> given) {
    List<Finding> findings = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (Map.Entry<String, Given> entry : given.entrySet()) {
      if (entry.getValue().inFile()) {
        check(entry.getKey(), entry.getValue(), given.keySet())
            .filter(finding -> seen.add(finding.where()))
            .ifPresent(findings::add);
      }
    }
    return findings;
  }

  private static Optional<Finding> check(String pointer, Given given, Set<String> written) {
    String path = "";
    int depth = 0;
    for (String token : pointer.substring(1).split("/", -1)) {
      String child = path + "/" + token;
      Optional<Setting<?>> setting = setting(child);
      if (setting.isPresent()) {
        return child.equals(pointer) ? Optional.empty() : inside(setting.get(), given, depth);
      }
      if (token.startsWith("x-")) {
        return Optional.empty();
      }
      if (children(child).isEmpty()) {
        return Optional.of(unknown(path, token, given.keys().get(depth), written));
      }
      path = child;
      depth++;
    }
    // A section: nothing may stand in it, as long as its settings are notes.
    return given.value() == null
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                given.at().orElseThrow(), name(pointer), "is no map; write keys with values"));
  }

  private static Optional<Finding> inside(Setting<?> setting, Given given, int depth) {
    Position at = given.keys().get(depth);
    if (setting.isLater()) {
      return setting.kind().read(given) instanceof Fit.Taken<?>
          ? Optional.empty()
          : Optional.of(Finding.error(at, setting.name(), "is not supported yet; leave it out"));
    }
    return Optional.of(Finding.error(at, setting.name(), "is no map; write a value"));
  }

  private static Finding unknown(String parent, String token, Position at, Set<String> written) {
    Set<String> candidates = children(parent);
    candidates.removeIf(
        child ->
            written.stream()
                .anyMatch(
                    other ->
                        other.equals(parent + "/" + child)
                            || other.startsWith(parent + "/" + child + "/")));
    String shown = token.replace("~1", "/").replace("~0", "~").replaceAll("\\p{Cntrl}", "?");
    String remedy =
        Spelling.nearest(shown, candidates)
            .map(known -> "did you mean \"" + known + "\"?")
            .orElse("remove it; docs/configuration.md lists what there is");
    return Finding.error(at, name(parent + "/" + token), "unknown key; " + remedy);
  }

  private static Optional<Setting<?>> setting(String pointer) {
    return Settings.ALL.stream().filter(known -> known.pointer().equals(pointer)).findFirst();
  }

  /** Names below a section. */
  private static Set<String> children(String section) {
    Set<String> names = new TreeSet<>();
    for (Setting<?> setting : Settings.ALL) {
      if (setting.pointer().startsWith(section + "/")) {
        names.add(setting.pointer().substring(section.length() + 1).replaceFirst("/.*", ""));
      }
    }
    return names;
  }

  private static String name(String pointer) {
    return pointer.substring(1).replace('/', '.').replaceAll("\\p{Cntrl}", "?");
  }
}

package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Check 4: no request fits two tenants with nothing to tell them apart. Host beats path prefix
 * (longest first) beats header beats API key.
 */
final class MatchChecks {
  private final Map<String, String> secrets;
  private final Findings findings;

  MatchChecks(Map<String, String> secrets, Findings findings) {
    this.secrets = secrets;
    this.findings = findings;
  }

  /**
   * A match entry.
   *
   * @param host empty: any
   * @param prefix without a slash at its end; empty: any path
   */
  private record Entry(ReadTenant tenant, String below, JsonNode node, String host, String prefix) {
    static Entry of(ReadTenant tenant, String below) {
      JsonNode node = tenant.file().at(tenant.pointer() + below);
      return new Entry(
          tenant,
          below,
          node,
          node.path("host").asText(""),
          node.path("pathPrefix").asText("").replaceAll("/$", ""));
    }

    /** {@code name: value}, the name in lower case; empty: no header is asked for. */
    String header() {
      JsonNode header = node.path("header");
      return header.isMissingNode()
          ? ""
          : header.path("name").asText().toLowerCase(Locale.ROOT)
              + ": "
              + header.path("value").asText();
    }

    /** All but the API key. */
    String conditions() {
      return host + "\n" + prefix + "\n" + header();
    }

    Position at() {
      return tenant.at(below);
    }

    boolean hasKey() {
      return node.has("apiKey");
    }
  }

  void check(List<ReadTenant> tenants) {
    Map<String, Entry> byConditions = new HashMap<>();
    for (ReadTenant tenant : tenants) {
      List<Entry> siblings = new ArrayList<>();
      for (String below : tenant.matches()) {
        Entry entry = Entry.of(tenant, below);
        siblings.stream()
            .filter(sibling -> covers(sibling, entry))
            .findFirst()
            .ifPresent(sibling -> covered(entry, sibling));
        siblings.add(entry);
        against(byConditions, entry);
      }
    }
  }

  private void against(Map<String, Entry> known, Entry entry) {
    String conditions = entry.conditions();
    if (!entry.hasKey()) {
      Entry other = known.putIfAbsent(conditions, entry);
      if (other != null && !other.tenant.equals(entry.tenant)) {
        ambiguous(entry, other);
      }
      return;
    }
    JsonNode keys = entry.node.path("apiKey").path("keys");
    for (int k = 0; k < keys.size(); k++) {
      for (int d = 0; d < keys.get(k).path("sha256").size(); d++) {
        String reference = keys.get(k).path("sha256").get(d).asText();
        // Where a secret is not resolved, equal references are equal secrets all the same.
        String digest = secrets.getOrDefault(reference, reference);
        Entry other = known.putIfAbsent(conditions + "\n" + digest, entry);
        if (other != null && !other.tenant.equals(entry.tenant)) {
          Position at = entry.tenant.at(entry.below + "/apiKey/keys/" + k + "/sha256/" + d);
          findings.error(
              at,
              entry.tenant.id() + " match.apiKey",
              Shown.text(reference)
                  + " opens "
                  + other.tenant.id()
                  + " ("
                  + other.at().seenFrom(at)
                  + ") as well, with nothing else to tell them apart; use another key");
        }
      }
    }
  }

  private void ambiguous(Entry entry, Entry other) {
    List<String> given = new ArrayList<>();
    List<String> used = new ArrayList<>();
    List<String> free = new ArrayList<>();
    for (String condition : List.of("host", "pathPrefix", "header")) {
      if (entry.node.has(condition)) {
        used.add(condition);
        given.add(condition + " " + shown(entry, condition));
      } else {
        free.add(condition);
      }
    }
    String remedy =
        "use another "
            + String.join(" or ", used)
            + (free.isEmpty() ? "" : ", or add " + String.join(" or ", free) + " to one");
    findings.error(
        entry.at(),
        entry.tenant.id() + " match",
        String.join(" with ", given)
            + " also fits "
            + other.tenant.id()
            + " ("
            + other.at().seenFrom(entry.at())
            + ") with nothing to tell them apart; "
            + remedy);
  }

  private static String shown(Entry entry, String condition) {
    return Shown.text(
        condition.equals("header") ? entry.header() : entry.node.path(condition).asText());
  }

  private void covered(Entry entry, Entry sibling) {
    findings.warning(
        entry.at(),
        entry.tenant.id() + " match",
        "this entry fits nothing that the one before ("
            + sibling.at().seenFrom(entry.at())
            + ") does not fit; remove it");
  }

  /** Whether every request of the second entry fits the first one, and is treated alike there. */
  private static boolean covers(Entry first, Entry second) {
    boolean host = first.host.isEmpty() || first.host.equals(second.host);
    boolean prefix =
        first.prefix.isEmpty()
            || second.prefix.equals(first.prefix)
            || second.prefix.startsWith(first.prefix + "/");
    boolean header = first.header().isEmpty() || first.header().equals(second.header());
    boolean peers =
        !first.node.has("fromCidrs")
            || first.node.path("fromCidrs").equals(second.node.path("fromCidrs"));
    boolean alike =
        strips(first).equals(strips(second))
            && first.node.path("apiKey").equals(second.node.path("apiKey"));
    return host && prefix && header && peers && alike;
  }

  /** The prefix that is taken off a path, or nothing. */
  private static String strips(Entry entry) {
    return entry.node.path("stripPrefix").asBoolean(false) ? entry.prefix : "";
  }
}

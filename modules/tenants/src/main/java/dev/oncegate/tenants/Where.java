package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names a place in the words of the file: {@code defaults.lease.ttl}, {@code acme-payments
 * upstream.tls}, {@code acme-payments/create-charge fingerprint.body}.
 */
final class Where {
  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");

  private Where() {}

  /** The name of the value at a pointer; works on trees that no schema has checked yet. */
  static String of(JsonNode root, String pointer) {
    List<String> tokens = Pointers.tokens(pointer);
    if (tokens.size() < 2 || !tokens.get(0).equals("tenants")) {
      return path(root, tokens);
    }
    JsonNode tenant = root.path("tenants").path(index(tokens.get(1)));
    String label = label(tenant, "tenants", tokens.get(1));
    int from = 2;
    JsonNode inside = tenant;
    if (tokens.size() >= 4 && tokens.get(2).equals("routes")) {
      inside = tenant.path("routes").path(index(tokens.get(3)));
      label += "/" + label(inside, "routes", tokens.get(3));
      from = 4;
    }
    String path = path(inside, tokens.subList(from, tokens.size()));
    return path.isEmpty() ? label : label + " " + path;
  }

  /** The key path without list indexes. */
  private static String path(JsonNode start, List<String> tokens) {
    StringBuilder path = new StringBuilder();
    JsonNode at = start;
    for (String token : tokens) {
      if (at.isArray()) {
        at = at.path(index(token));
        continue;
      }
      at = at.path(token);
      path.append(path.isEmpty() ? "" : ".").append(Shown.text(token));
    }
    return path.toString();
  }

  private static String label(JsonNode entry, String list, String index) {
    String id = entry.path("id").asText();
    return ID.matcher(id).matches() ? id : list + "[" + index + "]";
  }

  private static int index(String token) {
    try {
      return Integer.parseInt(token);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}

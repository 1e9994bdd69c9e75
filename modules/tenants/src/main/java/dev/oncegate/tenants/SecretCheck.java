package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Check 30: references lead to secrets of the kind asked for. Refused when serving; a warning when
 * validating, which may run where the secrets are not.
 */
final class SecretCheck {
  private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");

  private final TenantsLoader.Options options;
  private final Findings findings;
  private final Map<String, String> secrets = new HashMap<>();

  SecretCheck(TenantsLoader.Options options, Findings findings) {
    this.options = options;
    this.findings = findings;
  }

  /** Resolves every secret of the tenants: what was found, by reference. */
  Map<String, String> resolve(List<ReadTenant> tenants) {
    for (ReadTenant tenant : tenants) {
      for (String match : tenant.matches()) {
        JsonNode keys = tenant.file().at(tenant.pointer() + match + "/apiKey/keys");
        for (int k = 0; k < keys.size(); k++) {
          for (int d = 0; d < keys.get(k).path("sha256").size(); d++) {
            digest(tenant, match + "/apiKey/keys/" + k + "/sha256/" + d);
          }
        }
      }
    }
    return Map.copyOf(secrets);
  }

  private void digest(ReadTenant tenant, String below) {
    String reference = tenant.file().at(tenant.pointer() + below).asText();
    Position at = tenant.at(below);
    String where = tenant.id() + " match.apiKey";
    SecretResolver.Resolved resolved = options.secrets().resolve(reference);
    if (resolved instanceof SecretResolver.Missing missing) {
      unusable(at, where, missing.why());
      return;
    }
    if (!(resolved instanceof SecretResolver.Found found)) {
      throw new BrokenInvariant("a reference is found or missing");
    }
    if (!found.caution().isEmpty()) {
      findings.warning(at, where, found.caution());
    }
    if (!DIGEST.matcher(found.secret()).matches()) {
      unusable(
          at,
          where,
          Shown.text(reference)
              + " holds no hex SHA-256; store the 64 hex digits of the key's digest");
      return;
    }
    secrets.put(reference, found.secret().toLowerCase(Locale.ROOT));
  }

  private void unusable(Position at, String where, String message) {
    if (options.mode() == TenantsLoader.Mode.SERVE) {
      findings.error(at, where, message);
    } else {
      findings.warning(at, where, message);
    }
  }
}

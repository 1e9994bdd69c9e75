package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Check 30: references lead to secrets of the kind asked for. Refused when serving; a warning when
 * validating, which may run where the secrets are not.
 */
final class SecretCheck {
  private final TenantsLoader.Options options;
  private final Findings findings;
  private final Map<String, String> secrets = new HashMap<>();
  private final Map<String, Bytes> kept = new HashMap<>();

  SecretCheck(TenantsLoader.Options options, Findings findings) {
    this.options = options;
    this.findings = findings;
  }

  /**
   * The secrets of the files by reference.
   *
   * @param texts what policies are built with
   * @param kept what policies name only, and what is asked for when a request needs it
   */
  record Resolved(Map<String, String> texts, KeptSecrets kept) {
    static final Resolved NONE = new Resolved(Map.of(), KeptSecrets.NONE);

    Resolved {
      texts = Map.copyOf(texts);
    }

    @Override
    public String toString() {
      return "Resolved[hidden]";
    }
  }

  /** Resolves every secret of the files. */
  Resolved resolve(List<YamlTree> trees, List<ReadTenant> tenants) {
    trees.forEach(tree -> secret(tree, "/defaults/privacy/keyset", SecretKind.KEYSET));
    for (ReadTenant tenant : tenants) {
      String at = tenant.pointer();
      for (String digest : digests(tenant)) {
        secret(tenant.file(), at + digest, SecretKind.DIGEST)
            .ifPresent(
                found ->
                    secrets.put(
                        tenant.file().at(at + digest).asText(),
                        found.secret().toLowerCase(Locale.ROOT)));
      }
      tls(tenant);
      secret(tenant.file(), at + "/defaults/privacy/keyset", SecretKind.KEYSET);
      tenant.routes().forEach(route -> ofRoute(tenant.file(), route));
    }
    return new Resolved(secrets, new KeptSecrets(kept));
  }

  private static List<String> digests(ReadTenant tenant) {
    List<String> digests = new ArrayList<>();
    for (String match : tenant.matches()) {
      JsonNode keys = tenant.file().at(tenant.pointer() + match + "/apiKey/keys");
      for (int k = 0; k < keys.size(); k++) {
        for (int d = 0; d < keys.get(k).path("sha256").size(); d++) {
          digests.add(match + "/apiKey/keys/" + k + "/sha256/" + d);
        }
      }
    }
    return digests;
  }

  private void ofRoute(YamlTree file, ReadRoute route) {
    secret(file, route.pointer() + "/privacy/keyset", SecretKind.KEYSET);
    keep(file, route.pointer() + "/upstreamKey/secret", SecretKind.DERIVATION);
    String headers = route.pointer() + "/probe/request/headers";
    file.at(headers)
        .fieldNames()
        .forEachRemaining(
            name -> {
              String header = Pointers.child(headers, name);
              if (SecretResolver.isReference(file.at(header).asText())) {
                keep(file, header, SecretKind.HEADER_VALUE);
              }
            });
  }

  private void keep(YamlTree file, String pointer, SecretKind kind) {
    secret(file, pointer, kind)
        .ifPresent(found -> kept.put(file.at(pointer).asText(), found.bytes()));
  }

  private void tls(ReadTenant tenant) {
    YamlTree file = tenant.file();
    String tls = tenant.pointer() + "/upstream/tls";
    certificates(file, tls + "/ca");
    Optional<Certificate> shown = certificates(file, tls + "/clientCert");
    String key = tls + "/clientKey";
    Optional<SecretResolver.Found> found = secret(file, key, SecretKind.PRIVATE_KEY);
    if (found.isEmpty()) {
      return;
    }
    String reference = file.at(key).asText();
    secrets.put(reference, found.get().secret());
    if (shown.isPresent() && !PemFiles.belongs(found.get().secret(), shown.get())) {
      unusable(
          file,
          key,
          Shown.text(reference)
              + " is not the key of clientCert "
              + Shown.text(file.at(tls + "/clientCert").asText())
              + " ("
              + file.value(tls + "/clientCert").seenFrom(file.value(key))
              + "); store the key that belongs to it");
    }
  }

  private Optional<Certificate> certificates(YamlTree file, String pointer) {
    if (file.at(pointer).isMissingNode()) {
      return Optional.empty();
    }
    String path = file.at(pointer).asText();
    Optional<SecretResolver.Found> found =
        found(
            file,
            pointer,
            options.secrets().certificates(path),
            "create it with certificates as PEM, readable for this process");
    Optional<Certificate> first = found.flatMap(f -> PemFiles.certificate(f.secret()));
    if (found.isPresent() && first.isEmpty()) {
      unusable(
          file,
          pointer,
          "file " + Shown.text(path) + " holds no certificates as PEM; store them there");
    }
    return first;
  }

  /** A secret of the right kind; empty where the file names none, or where a finding says why. */
  private Optional<SecretResolver.Found> secret(YamlTree file, String pointer, SecretKind kind) {
    if (file.at(pointer).isMissingNode()) {
      return Optional.empty();
    }
    String reference = file.at(pointer).asText();
    Optional<SecretResolver.Found> found =
        found(file, pointer, options.secrets().resolve(reference), kind.remedy());
    if (found.isPresent() && !kind.fits(found.get())) {
      unusable(file, pointer, Shown.text(reference) + " " + kind.unfit());
      return Optional.empty();
    }
    return found;
  }

  private Optional<SecretResolver.Found> found(
      YamlTree file, String pointer, SecretResolver.Resolved resolved, String remedy) {
    if (resolved instanceof SecretResolver.Missing missing) {
      unusable(
          file,
          pointer,
          missing.why() + "; " + (missing.remedy().isEmpty() ? remedy : missing.remedy()));
      return Optional.empty();
    }
    if (!(resolved instanceof SecretResolver.Found found)) {
      throw new BrokenInvariant("a reference is found or missing");
    }
    if (!found.caution().isEmpty()) {
      findings.warning(file.value(pointer), where(file, pointer), found.caution());
    }
    return Optional.of(found);
  }

  private void unusable(YamlTree file, String pointer, String message) {
    if (options.mode() == TenantsLoader.Mode.SERVE) {
      findings.error(file.value(pointer), where(file, pointer), message);
    } else {
      findings.warning(file.value(pointer), where(file, pointer), message);
    }
  }

  /** An API key is named by its entry, which a person looks for, and not by its lists. */
  private static String where(YamlTree file, String pointer) {
    int keys = pointer.indexOf("/apiKey/");
    return file.where(keys < 0 ? pointer : pointer.substring(0, keys + "/apiKey".length()));
  }
}

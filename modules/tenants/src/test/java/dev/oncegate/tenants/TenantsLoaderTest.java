package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TenantsLoaderTest {
  private static final String MINIMAL =
      """
      version: 1
      defaults: { retention: { retryBudget: { attempts: 3 }, humanReplayWindow: 1h } }
      tenants:
        - id: %1$s
          match: [{ host: %1$s.example }]
          principal: shared
          upstream: { baseUrl: "https://api.example" }
          routes: [{ id: r, match: { methods: [POST], path: /r }, mode: idempotency-key }]
      """;

  @TempDir Path folder;

  private static String added(String id) {
    return MINIMAL.formatted(id).replaceAll("(?m)^defaults.*\n", "");
  }

  private List<String> findings(Path file) {
    return Reads.findings(TenantsLoader.load(file, Reads.options())).stream()
        .map(finding -> finding.replace(folder.toString(), "."))
        .toList();
  }

  @Test
  void missingFile_isOneLine() {
    assertThat(findings(folder.resolve("none.yaml")))
        .containsExactly("./none.yaml:1:1: no such file; name a file that is there");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void deviceWithoutAnEnd_isReadUpToTheBoundOnly() {
    assertThat(findings(Path.of("/dev/zero"))).singleElement().asString().contains("larger than");
  }

  @Test
  void folder_standsForItsTenantsYaml() throws Exception {
    assertThat(findings(folder))
        .containsExactly("./tenants.yaml:1:1: no such file; name a file that is there");
    Files.writeString(folder.resolve("tenants.yaml"), MINIMAL.formatted("a"));

    assertThat(TenantsLoader.load(folder, Reads.options()))
        .isInstanceOf(TenantsLoader.Loaded.class);
  }

  @Test
  void filesBeside_addTenants_underTheMainDefaults() throws Exception {
    Path main = folder.resolve("tenants.yaml");
    Files.writeString(main, MINIMAL.formatted("a"));
    Files.createDirectory(folder.resolve("tenants.d"));
    Files.writeString(folder.resolve("tenants.d/c.yaml"), added("c"));
    Files.writeString(folder.resolve("tenants.d/b.yml"), added("b"));
    Files.writeString(folder.resolve("tenants.d/.hidden.yaml"), "not read");
    Files.writeString(folder.resolve("tenants.d/notes.txt"), "not read");

    TenantsLoader.Loaded loaded = (TenantsLoader.Loaded) TenantsLoader.load(main, Reads.options());

    assertThat(loaded.remarks()).isEmpty();
    assertThat(loaded.tenants()).extracting(TenantPolicy::id).containsExactly("a", "b", "c");
    assertThat(loaded.tenants())
        .extracting(tenant -> tenant.routes().get(0).protocol().version())
        .containsOnly(loaded.tenants().get(0).routes().get(0).protocol().version());
  }

  @Test
  void filesBeside_haveNoDefaultsAndNoKnownIds() throws Exception {
    Path main = folder.resolve("tenants.yaml");
    Files.writeString(main, MINIMAL.formatted("a"));
    Files.createDirectory(folder.resolve("tenants.d"));
    Files.writeString(folder.resolve("tenants.d/a.yaml"), MINIMAL.formatted("a"));

    assertThat(findings(main))
        .containsExactly(
            "./tenants.d/a.yaml:2:1: defaults: only the main file has defaults; move this to"
                + " tenants[].defaults",
            "./tenants.d/a.yaml:4:9: a: tenant id \"a\" is used twice (first at"
                + " ./tenants.yaml:4:9); give this tenant an id of its own",
            "./tenants.d/a.yaml:5:13: a match: host a.example also fits a (./tenants.yaml:5:13)"
                + " with nothing to tell them apart; use another host, or add pathPrefix or header"
                + " to one");
  }

  @Test
  void noTenantAnywhere_isRefused() {
    assertThat(Reads.findings("version: 1\ntenants: []\n"))
        .containsExactly(
            "tenants.yaml:2:1: tenants: no tenant here and none in tenants.d/*.yaml; add one");
  }

  @Test
  void missingSecret_refusesToServe_andWarnsInValidate() {
    TenantsLoader.Options serve = secrets(TenantsLoader.Mode.SERVE);
    TenantsLoader.Options validate = secrets(TenantsLoader.Mode.VALIDATE);
    String text = Example.unchanged().text();
    String message =
        "acme-payments match.apiKey: environment variable ACME_CHECKOUT_KEY_SHA256 is not set; set"
            + " it, or use ${file:/path}";

    assertThat(Reads.read(text, serve)).isInstanceOf(TenantsLoader.Refused.class);
    assertThat(Reads.findings(Reads.read(text, serve))).contains("tenants.yaml:78:19: " + message);
    assertThat(Reads.read(text, validate)).isInstanceOf(TenantsLoader.Loaded.class);
    assertThat(Reads.findings(Reads.read(text, validate)))
        .contains("tenants.yaml:78:19: warning: " + message);
  }

  private static TenantsLoader.Options secrets(TenantsLoader.Mode mode) {
    return new TenantsLoader.Options(mode, new SystemSecrets(name -> null), List.of());
  }

  @Test
  void secretOfTheWrongKind_isNeverPrinted() {
    TenantsLoader.Options options =
        new TenantsLoader.Options(
            TenantsLoader.Mode.SERVE, reference -> new SecretResolver.Found("hunter2"), List.of());

    assertThat(Reads.findings(Reads.read(Example.unchanged().text(), options)))
        .hasSize(7)
        .allMatch(finding -> !finding.contains("hunter2"))
        .first()
        .isEqualTo(
            "tenants.yaml:78:19: acme-payments match.apiKey: ${env:ACME_CHECKOUT_KEY_SHA256} holds"
                + " no hex SHA-256; store the 64 hex digits of the key's digest");
    assertThat(new SecretResolver.Found("hunter2").toString()).doesNotContain("hunter2");
  }

  @Test
  void fileSecrets_areReadWithoutTheirLineEnd() throws Exception {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "s3cret\n");
    SecretResolver resolver = new SystemSecrets(name -> "");

    assertThat(resolver.resolve("${file:" + secret + "}"))
        .isInstanceOfSatisfying(
            SecretResolver.Found.class, found -> assertThat(found.secret()).isEqualTo("s3cret"));
    assertThat(resolver.resolve("${file:" + folder.resolve("none") + "}"))
        .isInstanceOf(SecretResolver.Missing.class);
    assertThat(resolver.resolve("${file:" + folder + "}"))
        .isInstanceOf(SecretResolver.Missing.class);
    assertThat(resolver.resolve("${env:EMPTY}")).isInstanceOf(SecretResolver.Missing.class);
  }
}

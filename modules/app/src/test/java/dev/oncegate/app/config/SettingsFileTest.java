package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** conf/oncegate.yaml: what is taken, what is refused and where, who wins. */
class SettingsFileTest {
  private static final String SECRET = "ab".repeat(32);
  private static final Path SHIPPED = Path.of("../../conf/oncegate.yaml");

  @TempDir Path directory;

  @Test
  void everyLevel_isTaken() throws IOException {
    Files.writeString(directory.resolve("secret"), SECRET);
    Files.writeString(directory.resolve("old"), "cd".repeat(32) + "\n");
    GatewayConfig config =
        load(
            """
            x-note: ours
            gateway:
              port: 9000
              limits: { headers: 64KiB, idle: 5m }
            store:
              postgres: postgresql://gate@db:5433/gate
              partitions: 4
              lanes: { claims: 3 }
              pool: { patience: 3s }
              requireSynchronousStandby: false
            cluster: { enabled: false, members: [] }
            secret: ${file:%1$s/secret}
            previousSecrets: ["${file:%1$s/old}"]
            tenants: /etc/tenants
            outbound: []
            """
                .formatted(directory));
    assertThat(config.gateway()).isEqualTo(new Address("0.0.0.0", 9000));
    assertThat(config.limits().headers()).isEqualTo(64 * 1024);
    assertThat(config.limits().idle()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.limits().requestLine()).isEqualTo(16 * 1024);
    assertThat(config.store().partitions()).isEqualTo(4);
    assertThat(config.store().claims()).isEqualTo(3);
    assertThat(config.store().patience()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.postgres().orElseThrow().address()).isEqualTo("db:5433");
    assertThat(config.secret().orElseThrow().bytes()).hasSize(32);
    assertThat(config.previousSecrets()).hasSize(1);
    assertThat(config.tenants()).isEqualTo(Path.of("/etc/tenants"));
    assertThat(config.toString()).doesNotContain("abab", "cdcd").contains("***");
  }

  @Test
  void flags_winOverEnvironment_whichWinsOverTheFile() throws IOException {
    Path file = write("gateway: { host: file, port: 1, drain: 1s }\nops: { port: 1 }\n");
    GatewayConfig config =
        new ConfigLoader(
                Environment.of(
                    Map.of("ONCEGATE_PORT", "2", "ONCEGATE_OPS_PORT", "2", "ONCEGATE_HOST", "")))
            .load(new ServeFlags(Optional.of(file), Map.of("--ops-port", "3")), Defaults.SERVE);
    assertThat(config.gateway()).isEqualTo(new Address("file", 2));
    assertThat(config.ops().port()).isEqualTo(3);
    assertThat(config.drain()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.file()).contains(file);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gateway: { prot: 1 }          | :1:12: gateway.prot: unknown key; did you mean \"port\"?",
        "gatewya: { port: 1 }          | :1:1: gatewya: unknown key; did you mean \"gateway\"?",
        "frobnicate: 1                 | :1:1: frobnicate: unknown key; remove it",
        "gateway.port: 1               | :1:1: gateway.port: unknown key",
        "gateway: 5                    | :1:10: gateway: is no map",
        "gateway: { port: { a: 1 } }   | :1:12: gateway.port: is no map; write a value",
        "gateway: { port: '80' }       | :1:18: gateway.port: is '80'; give a number",
        "gateway: { port: 65536 }      | :1:18: gateway.port: is '65536'; give a number from 0 to",
        "gateway: { drain: 30 }        | :1:19: gateway.drain: is '30'; give a duration",
        "gateway: { drain: 2h }        | :1:19: gateway.drain: is '2h'; give a duration",
        "gateway: { limits: { headers: 64K } } | :1:31: gateway.limits.headers: is '64K'; give a"
            + " size",
        "store: { dataDir: }           | store.dataDir: is empty; give a path",
        "store: { postgres: 'postgresql://u:hunter2@h/d' } | :1:20: store.postgres: holds a"
            + " password; write ${env",
        "store: { pool: { lockTimeout: 2s } } | :1:31: store.pool.lockTimeout: twice this",
        "secret: hunter2               | :1:9: secret: is a literal, which is refused; write ${env",
        "previousSecrets: [hunter2]    | previousSecrets: has an entry that is a literal",
        "secret: ${env:ONCEGATE_TEST_NOT_THERE} | :1:9: secret: cannot be had: environment"
            + " variable",
        "cache: { redis: 'redis://h' } | :1:17: cache.redis: is not supported yet",
        "sweeper: { every: 10ms }      | :1:19: sweeper.every: ",
        "sweeper: { batch: 0 }         | :1:19: sweeper.batch: ",
        "outbound: { allow: [a] }      | :1:1: outbound: is not supported yet",
        "store: { requireSynchronousStandby: true } | :1:37: store.requireSynchronousStandby: is"
            + " not",
        "- a                           | :1:1: the file is no map",
        "a: [                          | this is no YAML",
        "ops: { port: 1, port: 2 }     | key \"port\" stands twice"
      })
  void fault_isRefusedAtItsPlace(String text, String message) throws IOException {
    Path file = write(text);
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(file))
        .matches(failure -> failure.exitCode() == 2)
        .matches(failure -> !failure.findings().isEmpty())
        .matches(failure -> !failure.line().contains("hunter"))
        .withMessageContaining(message);
  }

  @Test
  void allFaults_areSaidAtOnce() throws IOException {
    Path file = write("gateway:\n  prot: 1\n  drain: 5\ncache:\n  redis: x\n");
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(file))
        .satisfies(
            failure ->
                assertThat(failure.findings())
                    .extracting(finding -> finding.at().line())
                    .containsExactly(2, 3, 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "gateway:\nstore:\n  lanes:\n"})
  void fileThatSaysNothing_isTheBuiltInSettings(String text) throws IOException {
    assertThat(load(text).gateway()).isEqualTo(new Address("0.0.0.0", 8080));
  }

  @Test
  void fileThatWasNamedAndIsNotThere_isRefused() {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(directory.resolve("missing.yaml")))
        .withMessageContaining("missing.yaml cannot be read (no such file)");
  }

  @Test
  void shippedFile_changesNothing_andNamesEverySettingWithItsBuiltInValue() throws IOException {
    assertThat(load(SHIPPED).limits()).isEqualTo(load("").limits());
    String text = Files.readString(SHIPPED);
    String active = text.replaceAll("(?m)^( *)#([a-zA-Z0-9]+: )", "$1$2");
    Map<String, Given> leaves = SettingsReader.read(Optional.of(write(active)), Map.of(), Map.of());
    for (Setting<?> setting : Settings.ALL) {
      String pointer = setting.pointer();
      List<String> found =
          leaves.keySet().stream()
              .filter(leaf -> leaf.equals(pointer) || leaf.startsWith(pointer + "/"))
              .toList();
      assertThat(found).as(setting.name()).isNotEmpty();
      setting
          .builtIn()
          .ifPresent(
              value ->
                  assertThat(String.valueOf(leaves.get(pointer).value()))
                      .as(setting.name())
                      .isEqualTo(value));
      setting.flag().ifPresent(flag -> assertThat(text).contains(flag));
      setting.variable().ifPresent(variable -> assertThat(text).contains(variable));
    }
    assertThat(FileKeys.check(leaves))
        .as("only what is not there yet is refused")
        .allMatch(finding -> finding.message().contains("not supported yet"));
  }

  private GatewayConfig load(String text) throws IOException {
    return load(write(text));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("oncegate.yaml"), text);
  }

  private static GatewayConfig load(Path file) {
    Map<String, String> environment = Map.of("ONCEGATE_SECRET", SECRET);
    boolean own = Files.exists(file) && readsSecret(file);
    return new ConfigLoader(Environment.of(own ? Map.of() : environment))
        .load(new ServeFlags(Optional.of(file), Map.of()), Defaults.SERVE);
  }

  private static boolean readsSecret(Path file) {
    try {
      return Files.readString(file).contains("ecret");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}

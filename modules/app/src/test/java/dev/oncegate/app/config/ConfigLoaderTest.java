package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {
  private static final String HEX = "00112233445566778899aabbccddeeff".repeat(2);

  @Test
  void nothingGiven_isTheContractsDefaults() {
    GatewayConfig config = load(Map.of());
    assertThat(config.gateway()).isEqualTo(new Address("0.0.0.0", 8080));
    assertThat(config.ops()).isEqualTo(new Address("127.0.0.1", 8081));
    assertThat(config.tenants()).isEqualTo(Path.of("tenants.yaml"));
    assertThat(config.dataDir()).isEqualTo(Path.of("data").toAbsolutePath());
    assertThat(config.postgres()).isEmpty();
    assertThat(config.secret()).isEmpty();
    assertThat(config.drain()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void environment_overridesDefaults() {
    GatewayConfig config =
        load(
            Map.of(
                "ONCEGATE_PORT", "9000",
                "ONCEGATE_OPS_HOST", "0.0.0.0",
                "ONCEGATE_TENANTS", "/etc/oncegate/tenants.yaml",
                "ONCEGATE_STORE_PARTITIONS", "4",
                "ONCEGATE_DRAIN_TIMEOUT", "1500ms"));
    assertThat(config.gateway().port()).isEqualTo(9000);
    assertThat(config.ops()).isEqualTo(new Address("0.0.0.0", 8081));
    assertThat(config.tenants()).isEqualTo(Path.of("/etc/oncegate/tenants.yaml"));
    assertThat(config.store().partitions()).isEqualTo(4);
    assertThat(config.drain()).isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  void flags_overrideEnvironment_eachHalfOfAnAddressForItself() {
    ServeFlags flags =
        new ServeFlags(Optional.empty(), Map.of("--port", "7000", "--data-dir", "elsewhere"));
    GatewayConfig config =
        new ConfigLoader(
                Environment.of(Map.of("ONCEGATE_HOST", "10.0.0.1", "ONCEGATE_PORT", "9000")))
            .load(flags, Defaults.SERVE);
    assertThat(config.gateway()).isEqualTo(new Address("10.0.0.1", 7000));
    assertThat(config.dataDir()).isEqualTo(Path.of("elsewhere").toAbsolutePath());
  }

  @Test
  void emptyVariable_countsAsNotSet() {
    assertThat(load(Map.of("ONCEGATE_PORT", "")).gateway().port()).isEqualTo(8080);
  }

  @ParameterizedTest
  @CsvSource({
    "ONCEGATE_PORT, 65536",
    "ONCEGATE_PORT, http",
    "ONCEGATE_OPS_PORT, -1",
    "ONCEGATE_STORE_PARTITIONS, 0",
    "ONCEGATE_INSTANCES, 0",
    "ONCEGATE_DRAIN_TIMEOUT, soon",
    "ONCEGATE_DRAIN_TIMEOUT, 61m",
    "ONCEGATE_ADMIN_TOKEN, short",
    "ONCEGATE_ADMIN_TOKEN, a token of several words",
    "ONCEGATE_POSTGRES_URI, db.example",
    "ONCEGATE_SECRET, short"
  })
  void unparsableValue_isRefusedByName(String name, String value) {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(Map.of(name, value)))
        .withMessageContaining(name)
        .matches(failure -> failure.exitCode() == 2);
  }

  @Test
  void unknownVariable_isRefusedByName() {
    refused(Map.of("ONCEGATE_PROT", "8080"), "unknown environment variable ONCEGATE_PROT");
  }

  @Test
  void variableOfALaterVersion_isRefused() {
    refused(Map.of("ONCEGATE_REDIS_URI", "x"), "ONCEGATE_REDIS_URI is not supported yet");
  }

  @Test
  void variablesOfTestsLauncherAndCommands_areExempt() {
    Map<String, String> environment = new HashMap<>();
    environment.put("ONCEGATE_TEST_POSTGRES_URI", "x");
    environment.put("ONCEGATE_JAVA_OPTS", "-Xmx1g");
    environment.put("ONCEGATE_OPS_URL", "http://127.0.0.1:8081");
    environment.put("PATH", "/bin");
    assertThat(load(environment).gateway().port()).isEqualTo(8080);
  }

  @Test
  void externalPostgresWithoutSecret_isRefused() {
    refused(Map.of("ONCEGATE_POSTGRES_URI", "postgresql://u:p@h/d"), "ONCEGATE_SECRET is required");
  }

  @Test
  void externalPostgresWithSecret_isTaken_andNeitherIsPrinted() {
    GatewayConfig config =
        load(
            Map.of(
                "ONCEGATE_POSTGRES_URI",
                "postgresql://u:hunter2@h:5433/d?password=hunter3",
                "ONCEGATE_SECRET",
                HEX));
    assertThat(config.secret().orElseThrow().bytes()).hasSize(32);
    assertThat(config.toString())
        .contains("postgresql://u:***@h:5433/d")
        .doesNotContain("hunter", HEX);
  }

  @Test
  void malformedUri_isRefusedWithoutItsPassword() {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(Map.of("ONCEGATE_POSTGRES_URI", "postgresql://u:hunter 2@h/d")))
        .matches(failure -> !failure.line().contains("hunter"));
  }

  @Test
  void demo_takesNoDatabaseAndNoDirectoryFromTheEnvironment() {
    GatewayConfig config =
        new ConfigLoader(
                Environment.of(
                        Map.of(
                            "ONCEGATE_POSTGRES_URI", "postgresql://u:p@h/d",
                            "ONCEGATE_DATA_DIR", "/var/lib/oncegate",
                            "ONCEGATE_PORT", "9000"))
                    .forDemo())
            .load(ServeFlags.none(), Defaults.SERVE);
    assertThat(config.postgres()).isEmpty();
    assertThat(config.dataDir()).isEqualTo(Path.of("data").toAbsolutePath());
    assertThat(config.gateway().port()).isEqualTo(9000);
  }

  private static void refused(Map<String, String> environment, String message) {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(environment))
        .withMessageContaining(message)
        .matches(failure -> failure.exitCode() == 2);
  }

  private static GatewayConfig load(Map<String, String> environment) {
    return new ConfigLoader(Environment.of(environment)).load(ServeFlags.none(), Defaults.SERVE);
  }
}

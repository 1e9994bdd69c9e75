package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import dev.oncegate.app.config.GatewayConfig.Cluster;
import dev.oncegate.app.config.GatewayConfig.ClusterTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may join whom, and which contradictions end the start. */
class ClusterReaderTest {
  private static final String STORE = "store: { postgres: postgresql://gate@db/gate }\n";

  @TempDir Path directory;

  @BeforeEach
  void writePem() throws IOException {
    Files.writeString(directory.resolve("pem"), "");
  }

  @Test
  void nothingSaid_isNoCluster() {
    assertThat(load("")).isEmpty();
  }

  @Test
  void members_takeTheBuiltInPorts() {
    Cluster cluster = load(STORE + "cluster: { enabled: true, members: [a, 'b:7'] }").orElseThrow();
    assertThat(cluster)
        .isEqualTo(
            new Cluster(
                "oncegate",
                List.of(new Address("a", 5701), new Address("b", 7)),
                Optional.empty(),
                Optional.empty(),
                5701,
                5702,
                Optional.empty(),
                Duration.ofSeconds(5)));
  }

  @Test
  void everySetting_isTaken() {
    Cluster cluster =
        load(STORE
                + """
                cluster:
                  enabled: true
                  dns: oncegate-headless.pay.svc.cluster.local
                  members: []
                  host: 10.1.2.3
                  name: pay_1
                  ports: { member: 6701, bus: 6702 }
                  tls: { cert: %1$s/pem, key: %1$s/pem, ca: %1$s/pem }
                  check: 500ms
                """
                    .formatted(directory))
            .orElseThrow();
    Path pem = directory.resolve("pem").toAbsolutePath();
    assertThat(cluster.dns()).contains("oncegate-headless.pay.svc.cluster.local");
    assertThat(cluster.members()).isEmpty();
    assertThat(cluster.host()).contains("10.1.2.3");
    assertThat(cluster.name()).isEqualTo("pay_1");
    assertThat(cluster.memberPort()).isEqualTo(6701);
    assertThat(cluster.busPort()).isEqualTo(6702);
    assertThat(cluster.tls()).contains(new ClusterTls(pem, pem, pem));
    assertThat(cluster.check()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void flagAndVariables_areEnoughForAContainer() {
    Map<String, String> variables = new HashMap<>();
    variables.put("ONCEGATE_POSTGRES_URI", "postgresql://gate@db/gate");
    variables.put("ONCEGATE_SECRET", "ab".repeat(32));
    variables.put("ONCEGATE_CLUSTER_MEMBERS", "10.0.0.1, [fd00::1]:6701,fd00::2");
    variables.put("ONCEGATE_CLUSTER_HOST", "10.0.0.1");
    variables.put("ONCEGATE_CLUSTER_MEMBER_PORT", "5801");
    variables.put("ONCEGATE_CLUSTER_BUS_PORT", "5802");
    ServeFlags flags = new ServeFlags(Optional.empty(), Map.of("--cluster", "true"));
    Cluster cluster =
        new ConfigLoader(Environment.of(variables))
            .load(flags, Defaults.SERVE)
            .cluster()
            .orElseThrow();
    assertThat(cluster.members())
        .containsExactly(
            new Address("10.0.0.1", 5801),
            new Address("fd00::1", 6701),
            new Address("fd00::2", 5801));
    assertThat(cluster.host()).contains("10.0.0.1");
    assertThat(cluster.busPort()).isEqualTo(5802);
  }

  @Test
  void flag_winsOverTheFile() throws IOException {
    Path file = write(STORE + "cluster: { enabled: false, dns: nodes }");
    ServeFlags flags = new ServeFlags(Optional.of(file), Map.of("--cluster", "true"));
    assertThat(loader().load(flags, Defaults.SERVE).cluster()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "members: [a], dns: b",
        "ports: { member: 1, bus: 1 }",
        "ports: { bus: 8080 }",
        "tls: { cert: nowhere }",
        "host: 10.0.0.1"
      })
  void contradictionOfAClusterThatIsOff_isNoMatter(String settings) {
    assertThat(load("cluster: { enabled: false, " + settings + " }")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "members: [a], dns: b | cluster.dns: cluster.members says who the nodes are as well",
        "members: [] | cluster.enabled: nothing says where the other nodes are; give"
            + " cluster.members or cluster.dns",
        "dns: a, ports: { member: 5702 } | cluster.ports.member: cluster.ports.bus is 5702 as well",
        "dns: a, ports: { bus: 5701 } | cluster.ports.bus: cluster.ports.member is 5701 as well",
        "dns: a, ports: { bus: 8080 } | cluster.ports.bus: gateway.port is 8080 as well",
        "dns: a, ports: { member: 8081 } | cluster.ports.member: ops.port is 8081 as well",
        "dns: a, tls: { cert: DIR/pem } | cluster.tls.cert: TLS between nodes needs all of",
        "dns: a, tls: { key: DIR/pem, ca: DIR/pem } | cluster.tls.key: TLS between nodes needs",
        "dns: a, tls: { cert: DIR/pem, key: DIR/pem, ca: DIR/no } | cluster.tls.ca: file"
      })
  void contradiction_isRefusedAtItsPlace(String settings, String message) {
    String cluster = "cluster: { enabled: true, " + settings.replace("DIR", directory + "") + " }";
    refused(STORE + cluster, message)
        .matches(failure -> failure.findings().get(0).at().line() == 2);
  }

  @Test
  void embeddedPostgres_isRefused() {
    refused(
            "cluster: { enabled: true, members: [a] }",
            "cluster.enabled: an embedded Postgres belongs to one process, so that each node would"
                + " claim for itself; give one that all nodes share with --postgres, or leave"
                + " --cluster out")
        .matches(failure -> failure.findings().get(0).at().line() == 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "members: a | cluster.members: is no list; write a list",
        "members: [5701] | cluster.members: has an entry that is '5701'; give host or host:port",
        "members: [''] | cluster.members: has an entry that is ''",
        "members: ['a:0'] | cluster.members: has an entry that is 'a:0'",
        "members: ['a:65536'] | cluster.members: has an entry that is 'a:65536'",
        "members: ['http://a'] | cluster.members: has an entry that is 'http://a'",
        "members: ['a b'] | cluster.members: has an entry that is 'a b'",
        "members: ['[a]:5701'] | cluster.members: has an entry that is '[a]:5701'",
        "dns: a:5701 | cluster.dns: is 'a:5701'; give a name",
        "host: 0.0.0.0 | cluster.host: is '0.0.0.0'; give an address that the other nodes can"
            + " reach",
        "host: '::' | cluster.host: is '::'; give an address",
        "name: a b | cluster.name: is 'a b'; give a name",
        "ports: { member: 0 } | cluster.ports.member: is '0'; give a number from 1 to 65535",
        "ports: 5701 | cluster.ports: is no map",
        "tls: { pem: x } | cluster.tls.pem: unknown key; remove it",
        "check: 2m | cluster.check: is '2m'; give a duration",
        "enabled: yes | cluster.enabled: is 'yes'; give true or false"
      })
  void valueThatDoesNotFit_isRefused_alsoWhereTheClusterIsOff(String setting, String message) {
    refused("cluster: { " + setting + " }", message);
  }

  private ThrowableAssertAlternative<StartFailure> refused(String text, String message) {
    return assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> load(text))
        .withMessageContaining(message)
        .matches(failure -> failure.exitCode() == 2);
  }

  private Optional<Cluster> load(String text) {
    try {
      ServeFlags flags = new ServeFlags(Optional.of(write(text)), Map.of());
      return loader().load(flags, Defaults.SERVE).cluster();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ConfigLoader loader() {
    return new ConfigLoader(Environment.of(Map.of("ONCEGATE_SECRET", "ab".repeat(32))));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("oncegate.yaml"), text);
  }
}

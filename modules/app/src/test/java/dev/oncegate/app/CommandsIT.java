package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.app.OncegateProcess.Result;
import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.PostgresUri;
import dev.oncegate.app.embedded.DataDir;
import dev.oncegate.app.embedded.EmbeddedPostgresServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything that ends without a gateway: one clear line, the right code, nothing left behind. */
class CommandsIT {
  private static final String SECRET = "ab".repeat(32);

  @TempDir Path directory;

  @BeforeEach
  void writeTenants() throws Exception {
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(9));
  }

  @Test
  void version_isPrinted() {
    Result result = run("--version");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).matches("oncegate \\d+\\.\\d+\\.\\d+\\S* \\(Java \\d+\\)");
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--help",
    "serve --help",
    "demo --help",
    "validate --help",
    "explain --help",
    "fingerprint --help"
  })
  void help_tellsTheExitCodes(String arguments) {
    Result result = run(arguments.split(" "));
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("invalid input or configuration", "something needed cannot be reached");
  }

  @Test
  void goodFile_isValid() {
    Result result = run("validate", "tenants.yaml");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("tenants.yaml: ok, 1 tenant, 1 route");
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"validate", "explain shop create-charge"})
  void outputForTheRepositorysTenants_isAsKept(String command) throws Exception {
    Files.copy(
        Path.of("../../tenants.yaml"),
        directory.resolve("tenants.yaml"),
        StandardCopyOption.REPLACE_EXISTING);
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.add(1, "tenants.yaml");
    Result result = run(arguments.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    Path kept = Path.of("src/test/resources/golden", arguments.get(0) + ".txt");
    assertThat(result.out()).isEqualTo(Files.readString(kept).stripTrailing());
  }

  @Test
  void schema_isTheOneOfTheRepository() throws Exception {
    Result result = run("schema");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .isEqualTo(Files.readString(Path.of("../../conf/schema/tenants.schema.json")).strip());
  }

  @Test
  void completion_isAScriptThatKnowsCommandsAndFlags() throws Exception {
    Result result = run("completion");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("complete -F", "fingerprint", "--ops-port");
    Path script = Files.writeString(directory.resolve("completion.sh"), result.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();
    assertThat(bash.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "validate tenants.yaml",
    "serve --port 0 --ops-port 0",
    "demo --tenants tenants.yaml"
  })
  void unknownKey_isRefusedWithItsPlace(String arguments) throws Exception {
    Path file = directory.resolve("tenants.yaml");
    Files.writeString(file, Files.readString(file).replace("principal:", "pricnipal:"));
    Result result = run(arguments.split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("tenants.yaml:5:5: ", "pricnipal");
    assertNothingStarted();
  }

  @ParameterizedTest
  @CsvSource({
    "frobnicate, frobnicate",
    "serve --frobnicate, --frobnicate",
    "validate, FILE",
    "explain tenants.yaml shop, ROUTE",
    "explain tenants.yaml shp create-charge, did you mean",
    "fingerprint tenants.yaml shop create-charge, the input ends within the request line",
    "serve --port http, --port is 'http'",
    "serve --port 65536, --port is '65536'",
    "serve --port 9000 --ops-port 9000, both 9000",
    "serve --redis redis://h, --redis is not supported yet",
    "serve --cluster, an embedded Postgres belongs to one process",
    "serve --config c.yaml, c.yaml cannot be read (no such file)",
    "serve --tls-cert tenants.yaml, TLS needs both a certificate and its key",
    "serve --tls-cert c --tls-key k, file c cannot be read",
    "serve --postgres nonsense, --postgres must look like",
    "serve --postgres postgresql://u:p@h/d, ONCEGATE_SECRET is required",
    "serve --tenants missing.yaml, missing.yaml:1:1: no such file",
    "validate missing.yaml, missing.yaml:1:1: no such file",
    "demo --ledger-port -1, --ledger-port is '-1'"
  })
  void badArguments_areOneLineAndCode2(String arguments, String message) {
    Result result = run(arguments.split(" "));
    assertThat(result.errLine()).contains(message);
    assertThat(result.exitCode()).isEqualTo(2);
    assertNothingStarted();
  }

  @Test
  void unknownVariable_isOneLineAndCode2() {
    Result result =
        OncegateProcess.run(directory, Map.of("ONCEGATE_PROT", "1"), "serve", "--port", "0");
    assertThat(result.errLine()).contains("unknown environment variable ONCEGATE_PROT");
    assertThat(result.exitCode()).isEqualTo(2);
    assertNothingStarted();
  }

  @ParameterizedTest
  @CsvSource({
    "serve --host 127.0.0.1 --ops-port 0 --port, --port",
    "serve --host 127.0.0.1 --port 0 --ops-port, --ops-port",
    "demo --port 0 --ops-port 0 --tenants tenants.yaml --ledger-port, --ledger-port"
  })
  void portInUse_isOneLineAndCode2(String arguments, String remedy) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      Result result = run((arguments + " " + port).split(" "));
      assertThat(result.errLine())
          .contains("cannot listen on " + new Address("127.0.0.1", taken.getLocalPort()), remedy);
      assertThat(result.exitCode()).isEqualTo(2);
      assertNothingStarted();
    }
  }

  @Test
  void unreachablePostgres_isOneLineAndCode3() throws Exception {
    int nobody;
    try (ServerSocket closed = new ServerSocket(0)) {
      nobody = closed.getLocalPort();
    }
    Result result = serve("postgresql://u:p@127.0.0.1:" + nobody + "/d");
    assertThat(result.errLine()).contains("127.0.0.1:" + nobody + " cannot be reached");
    assertThat(result.exitCode()).isEqualTo(3);
    assertNothingStarted();
  }

  @Test
  void wrongPasswordAndMissingDatabase_areOneLineAndCode2() throws Exception {
    DataDir dir = DataDir.open(directory.resolve("other"));
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      PostgresUri uri = server.uri();
      Result wrong = serve("postgresql://postgres:wrong@" + uri.address() + "/postgres");
      assertThat(wrong.errLine()).contains("refuses the user or password").doesNotContain("wrong@");
      assertThat(wrong.exitCode()).isEqualTo(2);
      Result missing = serve(uri.value().replaceAll("postgres$", "nowhere"));
      assertThat(missing.errLine()).contains("no such database");
      assertThat(missing.exitCode()).isEqualTo(2);
      assertNothingStarted();
    }
  }

  @Test
  void dataDirectoryThatIsAFile_isOneLineAndCode2() throws Exception {
    Files.writeString(directory.resolve("file"), "");
    Result result = run("serve", "--port", "0", "--ops-port", "0", "--data-dir", "file");
    assertThat(result.errLine()).contains("is not a directory");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void damagedDataDirectory_isOneLineAndCode3_andLostSecretCode2() throws Exception {
    Path data = Files.createDirectories(directory.resolve("data"));
    Files.createDirectories(data.resolve("pg"));
    Files.writeString(data.resolve("pg/postgresql.conf"), "");
    Result lost = run("serve", "--port", "0", "--ops-port", "0");
    assertThat(lost.errLine()).contains(data.toRealPath().resolve("secret") + " is missing");
    assertThat(lost.exitCode()).isEqualTo(2);
    Files.writeString(data.resolve("secret"), SECRET);
    Files.writeString(data.resolve("pg-password"), SECRET);
    Result damaged = run("serve", "--port", "0", "--ops-port", "0");
    assertThat(damaged.errLine()).contains("does not start", "not a database cluster directory");
    assertThat(damaged.exitCode()).isEqualTo(3);
  }

  private Result serve(String postgres) {
    return OncegateProcess.run(
        directory,
        Map.of("ONCEGATE_POSTGRES_URI", postgres, "ONCEGATE_SECRET", SECRET),
        "serve",
        "--port",
        "0",
        "--ops-port",
        "0");
  }

  private Result run(String... arguments) {
    return OncegateProcess.run(directory, Map.of(), arguments);
  }

  private void assertNothingStarted() {
    assertThat(directory.resolve("data")).doesNotExist();
  }
}

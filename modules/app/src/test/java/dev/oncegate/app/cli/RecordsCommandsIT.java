package dev.oncegate.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.ops.AdminToken;
import dev.oncegate.ops.HealthChecks;
import dev.oncegate.ops.OpsApi;
import dev.oncegate.ops.OpsMetrics;
import dev.oncegate.ops.OpsRouter;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import dev.oncegate.testkit.ManualTime;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code records} against a real ops port over the reference store. */
class RecordsCommandsIT {
  private static final String TOKEN = "a-token-for-this-test";
  private static final Duration QUARANTINE = Duration.ofSeconds(105);
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InMemoryRecordStore store = new InMemoryRecordStore(now::get);
  private final Vertx vertx = Vertx.vertx();
  @TempDir Path directory;
  private String url;

  @BeforeEach
  void listen() {
    List<TenantPolicy> tenants =
        List.of(
            SamplePolicies.tenant(
                "acme",
                9,
                SamplePolicies.keyed(
                    "charges", "POST", "/charges", SamplePolicies.protocol(Records.POLICY))),
            SamplePolicies.tenant("other", 9));
    InMemoryUpkeep upkeep = store.upkeep();
    OpsApi api =
        new OpsApi(
            new OpsApi.Parts(
                AdminToken.given(TOKEN.getBytes(StandardCharsets.US_ASCII)),
                () -> tenants,
                upkeep,
                upkeep::books,
                resolution(upkeep, tenants),
                System::nanoTime));
    HealthChecks health = new HealthChecks(Future::succeededFuture, () -> tenants, () -> false);
    int port =
        vertx
            .createHttpServer()
            .requestHandler(new OpsRouter(health, new OpsMetrics(), api).on(vertx))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
    url = "http://127.0.0.1:" + port;
  }

  private static Resolution resolution(InMemoryUpkeep upkeep, List<TenantPolicy> tenants) {
    PolicyVersions policies =
        new PolicyVersions(new InMemoryPolicyArchive(), (version, document) -> null);
    policies.serve(tenants);
    KeyRing.Secret secret = new KeyRing.Secret(Records.SECRET, Bytes.wrap(new byte[32]));
    return new Resolution(
        upkeep,
        upkeep,
        policies,
        new KeyRing(secret, List.of()),
        new ManualTime(),
        new EngineEvents() {});
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void find_listsAllTenants_andSaysWhoIsWaitedFor() {
    RecordId id = unknown("k1");
    Run found = run("records find");
    assertThat(found.code()).isZero();
    assertThat(found.err()).isEmpty();
    assertThat(found.out().lines().toList().get(0)).startsWith("STATE");
    assertThat(found.out()).contains("unknown", "acme", "charges", id.hex(), "being asked about");
    assertThat(run("records find --tenant other").out()).isEqualTo("no records\n");
    assertThat(run("records find --state completed").out()).isEqualTo("no records\n");
    assertThat(run("records find --tenant acme --route charges --key k1").out()).contains(id.hex());
    Run json = run("records find --json");
    assertThat(new JsonObject(json.out()).getJsonArray("records").size()).isEqualTo(1);
  }

  @Test
  void find_stopsAtItsLimit_andSaysSo() {
    for (int i = 0; i < 3; i++) {
      unknown("k" + i);
    }
    Run some = run("records find --limit 2");
    assertThat(some.out().lines()).hasSize(3);
    assertThat(some.err()).contains("there are more than 2");
    assertThat(run("records find --limit 3").err()).isEmpty();
  }

  @Test
  void show_printsTheRecordAndItsTimeline_alsoOfOneThatIsGone() {
    RecordId id = unknown("k1");
    Run shown = run("records show acme " + id.hex());
    assertThat(shown.code()).isZero();
    assertThat(shown.out()).contains("unknownReason", "the connection was reset", "owner");
    pass(QUARANTINE);
    assertThat(resolve(id, "notApplied").code()).isZero();
    Run gone = run("records show acme " + id.hex());
    assertThat(gone.code()).isEqualTo(2);
    assertThat(gone.out()).contains("resolved", "seen-nothing", "Ada");
    assertThat(gone.err()).contains("There is no such record");
  }

  @Test
  void resolve_writesTheVerdict_orSaysWhyNot() {
    RecordId id = unknown("k1");
    Run early = resolve(id, "notApplied");
    assertThat(early.code()).isEqualTo(2);
    assertThat(early.err()).contains("2026-03-01T10:01:45Z", "force");
    Run applied = resolve(id, "applied");
    assertThat(applied.code()).isZero();
    assertThat(applied.out()).contains("resolved: applied", id.hex());
    Run again = resolve(id, "applied");
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("now: completed");
  }

  @Test
  void resolve_takesAnAnswerFromAFile() throws Exception {
    RecordId id = unknown("k1");
    Path file = directory.resolve("answer.json");
    Files.writeString(file, "{\"status\":201,\"headers\":{\"A\":\"b\"},\"body\":\"hello\"}");
    Run run =
        run(
            "records resolve acme %s --verdict applied --reason seen --response %s"
                .formatted(id.hex(), file));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run("records show acme " + id.hex()).out()).contains("201", "completed");
  }

  @Test
  void resolveMany_asksFirst_andThenGoesOnToTheEnd() {
    List<RecordId> ids = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      ids.add(unknown("k" + i));
    }
    pass(QUARANTINE);
    RecordId late = unknown("late");
    String command =
        "records resolve acme --route charges --until 2026-03-01T10:01:00Z --verdict notApplied"
            + " --reason node-killed";
    Run refused = run(command);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("250 unknown", "route charges", "nothing was resolved");
    assertThat(store.size()).isEqualTo(251);
    Run agreed = execute("y\n", command.split(" "));
    assertThat(agreed.code()).isZero();
    assertThat(agreed.out())
        .isEqualTo("resolved 250, in quarantine 0, changed meanwhile 0, failed 0\n");
    assertThat(store.size()).isEqualTo(1);
    Run early = run("records resolve acme --route charges --verdict notApplied --reason r --yes");
    assertThat(early.code()).isEqualTo(2);
    assertThat(early.out()).contains("in quarantine 1", "repeat the command");
    Run json =
        run("records resolve acme --route charges --verdict applied --reason r --yes --json");
    assertThat(new JsonObject(json.out()).getLong("resolved")).isEqualTo(1);
    assertThat(run("records show acme " + late.hex()).out()).contains("completed");
    assertThat(run(command).out()).startsWith("resolved 0");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "records resolve acme --verdict applied --reason r, give ID",
        "records resolve acme xyz --verdict applied --reason r, 64 hex digits",
        "records resolve acme xyz --route r --verdict applied --reason r, give one record",
        "records resolve acme --route charges --verdict maybe --reason r --yes, --verdict is"
            + " 'maybe'",
        "records resolve acme xyz --reason r, --verdict",
        "records resolve acme xyz --verdict applied, --reason",
        "records resolve acme --route c --verdict applied --reason r --response f, give its ID",
        "records resolve acme xyz --verdict applied --reason r --response missing, cannot be read",
        "records show nobody xyz, 64 hex digits",
        "records find --tenant nobody, There is no tenant 'nobody'",
        "records find --state pending, 'state' is none of",
        "records find --key k, --key needs --tenant",
        "records find --limit 0, --limit is '0'",
        "records find --from now, RFC 3339",
        "records find --ops ftp://h, the ops port is 'ftp://h'",
        "records find --ops http://u:p@h, the ops port is",
        "records find --token wrong, This is not the token",
        "records find --token a --token-file b, choose one",
        "records find --token-file missing, cannot be read"
      })
  void whatIsRefused_isCode2(String command, String message) {
    Run run = run(command);
    assertThat(run.err()).contains(message);
    assertThat(run.err().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void noToken_andNobodyThere_areTold() throws Exception {
    StringWriter err = new StringWriter();
    CommandLine line = OncegateCommand.commandLine(Map.of(), new ByteArrayInputStream(new byte[0]));
    line.setErr(new PrintWriter(err));
    assertThat(line.execute("records", "find")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no token");
    int nobody;
    try (java.net.ServerSocket closed = new java.net.ServerSocket(0)) {
      nobody = closed.getLocalPort();
    }
    Run run = run("records find --ops http://127.0.0.1:" + nobody);
    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).contains("cannot be reached", "--ops");
  }

  @Test
  void token_isTakenFromAFile() throws Exception {
    Path file = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    CommandLine line =
        OncegateCommand.commandLine(
            Map.of("ONCEGATE_OPS_URL", url + "/"), new ByteArrayInputStream(new byte[0]));
    StringWriter out = new StringWriter();
    line.setOut(new PrintWriter(out));
    assertThat(line.execute("records", "find", "--token-file", file.toString())).isZero();
    assertThat(out.toString()).isEqualTo("no records\n");
  }

  private Run resolve(RecordId id, String verdict) {
    return run(
        "records resolve acme %s --verdict %s --reason seen-nothing --by Ada"
            .formatted(id.hex(), verdict));
  }

  private RecordId unknown(String key) {
    RecordId id = RecordId.of(new Scope("acme", "charges", Scope.SHARED), new IdempotencyKey(key));
    Claim claim = Records.claim(id);
    FencingToken token = ((ClaimOutcome.Won) store.claim(claim).await()).token();
    store.markUnknown(id, token, "the connection was reset").await();
    return id;
  }

  private void pass(Duration time) {
    now.updateAndGet(t -> t.plus(time));
  }

  private record Run(int code, String out, String err) {}

  private Run run(String command) {
    return execute("", command.split(" "));
  }

  private Run execute(String typed, String... arguments) {
    CommandLine line =
        OncegateCommand.commandLine(
            Map.of("ONCEGATE_OPS_URL", url, "ONCEGATE_ADMIN_TOKEN", TOKEN),
            new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int code = line.execute(arguments);
    return new Run(code, out.toString(), err.toString());
  }
}

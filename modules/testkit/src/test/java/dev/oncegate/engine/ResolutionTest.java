package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.Resolution.Order;
import dev.oncegate.engine.Resolution.Result;
import dev.oncegate.engine.Resolution.Ruling;
import dev.oncegate.testkit.InMemoryUpkeep;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResolutionTest {
  private final EngineBench bench = new EngineBench();
  private final InMemoryUpkeep upkeep = bench.memory.upkeep();
  private final Resolution resolution =
      new Resolution(upkeep, upkeep, bench.policies, bench.keys, bench.time, bench.events);

  private RecordId unknown(String key) {
    bench.send(key, "A");
    bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    return bench.admission(key, "A").id();
  }

  private static Order order(Ruling ruling, boolean force) {
    return new Order(ruling, "looked into the ledger", "ada", force, Optional.empty());
  }

  @Test
  void applied_withoutAResponse_completesAsNotKept() {
    RecordId id = unknown("k");
    Future<Result> result = resolution.resolve("acme", id, order(Ruling.APPLIED, false));
    assertThat(result.result()).isEqualTo(new Result.Resolved());
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.RESPONSE_NOT_KEPT);
  }

  @Test
  void applied_withAResponse_isReplayedAsReconstructed() {
    RecordId id = unknown("k");
    StoredResponse response =
        new StoredResponse(
            201,
            List.of(new HeaderField("Location", "/charges/7")),
            Optional.of(Bytes.wrap("{}".getBytes(StandardCharsets.UTF_8))));
    resolution.resolve(
        "acme",
        id,
        new Order(Ruling.APPLIED, "ledger line 7", "ada", false, Optional.of(response)));
    Answer.Replayed replayed = (Answer.Replayed) bench.send("k", "A").result();
    assertThat(replayed.reconstructed()).isTrue();
    assertThat(replayed.response()).isEqualTo(response);
  }

  @Test
  void notApplied_obeysTheQuarantine_unlessForced() {
    RecordId id = unknown("k");
    Future<Result> early = resolution.resolve("acme", id, order(Ruling.NOT_APPLIED, false));
    assertThat(early.result()).isEqualTo(new Result.Quarantined(bench.time.now().plusSeconds(105)));
    assertThat(bench.record("k")).isPresent();
    bench.time.advance(Duration.ofSeconds(105));
    assertThat(resolution.resolve("acme", id, order(Ruling.NOT_APPLIED, false)).result())
        .isEqualTo(new Result.Resolved());
    assertThat(bench.record("k")).isEmpty();

    RecordId other = unknown("other");
    assertThat(resolution.resolve("acme", other, order(Ruling.NOT_APPLIED, true)).result())
        .isEqualTo(new Result.Resolved());
    assertThat(upkeep.timeline("acme", other).result())
        .last()
        .satisfies(
            entry -> {
              assertThat(entry.by()).isEqualTo("ada");
              assertThat(entry.text()).isEqualTo("not applied, by force: looked into the ledger");
            });
  }

  @Test
  void recordThatIsNotUnknown_isLeftAlone() {
    bench.send("running", "A");
    RecordId running = bench.admission("running", "A").id();
    assertThat(resolution.resolve("acme", running, order(Ruling.NOT_APPLIED, true)).result())
        .isEqualTo(new Result.NotUnknown("claimed"));
    bench.upstream.answer(201, "c1");
    assertThat(resolution.resolve("acme", running, order(Ruling.APPLIED, false)).result())
        .isEqualTo(new Result.NotUnknown("completed"));
    assertThat(
            resolution
                .resolve("acme", bench.admission("none", "A").id(), order(Ruling.APPLIED, false))
                .result())
        .isEqualTo(new Result.Absent());
    assertThat(resolution.resolve("globex", running, order(Ruling.APPLIED, false)).result())
        .isEqualTo(new Result.Absent());
  }

  @Test
  void lapsedClaimThatNobodyHasSweptYet_isUnknown() {
    bench.send("k", "A");
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    assertThat(
            resolution
                .resolve("acme", bench.admission("k", "A").id(), order(Ruling.APPLIED, false))
                .result())
        .isEqualTo(new Result.Resolved());
  }

  @Test
  void many_areOneOrder_pageByPage() {
    for (int i = 0; i < 7; i++) {
      unknown("k" + i);
    }
    bench.send("running", "A");
    BulkResolution bulk = new BulkResolution(upkeep, resolution);
    BulkResolution.Many first = bulk.resolveAll("acme", page(Optional.empty()), APPLIED).result();
    assertThat(first.resolved()).isEqualTo(4);
    assertThat(first.next()).isPresent();
    BulkResolution.Many second = bulk.resolveAll("acme", page(first.next()), APPLIED).result();
    assertThat(second.resolved()).isEqualTo(3);
    assertThat(second.next()).isEmpty();
    assertThat(bench.record("running")).isPresent();
  }

  private static final Order APPLIED = order(Ruling.APPLIED, false);

  private static BulkResolution.Selection page(
      Optional<dev.oncegate.engine.port.RecordReader.Position> after) {
    return new BulkResolution.Selection(
        Optional.of("create-charge"), Optional.empty(), Optional.empty(), after, 4);
  }
}

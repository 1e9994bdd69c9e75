package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random commands for many keys at once, in turns that leave as batches over four stores, against
 * the pure rules one by one. Within a turn no key has two commands, so that their order is all the
 * same; what two commands for one key do is {@link PgRulesPropertyIT}'s and {@link PgRivalsIT}'s.
 */
class PgBatchPropertyIT {
  private static final int KEYS = 12;
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RETENTION = Duration.ofSeconds(35);
  private static final Duration TOMBSTONE = Duration.ofSeconds(20);

  private static PgFixture fixture;
  private static List<Turn> turns;

  @BeforeContainer
  static void open() {
    fixture = new PgFixture(PgBatchPropertyIT.class);
    turns = Stream.generate(() -> Turn.open(fixture, fixture::open)).limit(4).toList();
  }

  @AfterContainer
  static void close() {
    fixture.close();
  }

  enum Command {
    NOTHING,
    CLAIM,
    CLAIM_OTHER_PAYLOAD,
    COMPLETE,
    COMPLETE_LARGE,
    RELEASE,
    MARK_UNKNOWN
  }

  /** One turn: a command for each key; before it, time may pass. */
  record Step(List<Command> commands, int tens) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<List<Command>> commands =
        Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(2, Arbitraries.just(Command.CLAIM)),
                net.jqwik.api.Tuple.of(1, Arbitraries.of(Command.class)))
            .list()
            .ofSize(KEYS);
    return net.jqwik.api.Combinators.combine(commands, Arbitraries.of(0, 0, 0, 1, 2))
        .as(Step::new)
        .list()
        .ofMinSize(4)
        .ofMaxSize(12);
  }

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void batchesOfRandomCommands_leaveBothStoresAlike(@ForAll("steps") List<Step> steps) {
    Run run = new Run();
    steps.forEach(run::take);
  }

  /** Both stores side by side over keys of their own. */
  private static final class Run {
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final InMemoryRecordStore memory = new InMemoryRecordStore(() -> now);
    private final List<RecordId> ids = Stream.generate(Records::anyId).limit(KEYS).toList();
    private final Map<RecordId, FencingToken> expectedTokens = new ConcurrentHashMap<>();
    private final Map<RecordId, FencingToken> actualTokens = new ConcurrentHashMap<>();

    void take(Step step) {
      Duration by = Duration.ofSeconds(10L * step.tens());
      now = now.plus(by);
      if (step.tens() > 0) {
        fixture.elapse(by);
      }
      List<List<Integer>> keys = new ArrayList<>();
      List<List<Future<String>>> asked = new ArrayList<>();
      for (int t = 0; t < turns.size(); t++) {
        List<Integer> mine = new ArrayList<>();
        for (int key = t; key < KEYS; key += turns.size()) {
          mine.add(key);
        }
        Turn turn = turns.get(t);
        keys.add(mine);
        asked.add(
            turn.ask(
                mine,
                key -> ask(turn.store, step.commands().get(key), ids.get(key), actualTokens)));
      }
      for (int t = 0; t < turns.size(); t++) {
        for (int i = 0; i < keys.get(t).size(); i++) {
          int key = keys.get(t).get(i);
          Command command = step.commands().get(key);
          String wanted = get(ask(memory, command, ids.get(key), expectedTokens));
          assertThat(get(asked.get(t).get(i))).as("%s of key %d", command, key).isEqualTo(wanted);
        }
      }
      for (RecordId id : ids) {
        assertThat(described(get(turns.get(0).store.read(id))))
            .isEqualTo(described(get(memory.read(id))));
      }
    }

    private static Future<String> ask(
        RecordStore store, Command command, RecordId id, Map<RecordId, FencingToken> tokens) {
      FencingToken token = tokens.getOrDefault(id, new FencingToken(1));
      return switch (command) {
        case NOTHING -> Future.succeededFuture("");
        case CLAIM, CLAIM_OTHER_PAYLOAD ->
            store
                .claim(
                    Records.claim(
                        id, command == Command.CLAIM ? "A" : "B", LEASE, RETENTION, TOMBSTONE))
                .map(outcome -> text(outcome, id, tokens));
        case COMPLETE ->
            store.complete(id, token, Records.answer("a")).map(PgBatchPropertyIT::text);
        case COMPLETE_LARGE ->
            store
                .complete(
                    id, token, Records.answer(404, new StoredBody.ByReference(Records.noise(9000))))
                .map(PgBatchPropertyIT::text);
        case RELEASE -> store.release(id, token).map(PgBatchPropertyIT::text);
        case MARK_UNKNOWN -> store.markUnknown(id, token, "x").map(PgBatchPropertyIT::text);
      };
    }

    private static String text(
        ClaimOutcome outcome, RecordId id, Map<RecordId, FencingToken> tokens) {
      if (outcome instanceof ClaimOutcome.Won won) {
        FencingToken before = tokens.put(id, won.token());
        assertThat(before == null || before.compareTo(won.token()) < 0).isTrue();
      }
      return outcome.getClass().getSimpleName();
    }
  }

  private static String text(SettleOutcome outcome) {
    return outcome.getClass().getSimpleName();
  }

  private static String described(Optional<IdempotencyRecord> record) {
    return record
        .map(
            there ->
                there.getClass().getSimpleName()
                    + (there instanceof IdempotencyRecord.Completed done ? done.answer() : "")
                    + there.facts().fingerprint())
        .orElse("absent");
  }
}

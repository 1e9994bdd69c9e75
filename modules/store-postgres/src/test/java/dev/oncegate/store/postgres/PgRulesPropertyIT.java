package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordStore.Renewal;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.UpkeepUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The SQL store equals the pure rules: the same random commands on both give the same outcomes and
 * leave the same records. Times move in steps of ten seconds while every span ends on a five, so
 * the seconds that a run really takes decide nothing; tokens are compared by the order in which
 * they were won.
 */
class PgRulesPropertyIT {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RETENTION = Duration.ofSeconds(35);
  private static final Duration TOMBSTONE = Duration.ofSeconds(20);
  private static final int KEYS = 3;
  private static final int MANY = 1000;

  /** Ends between two steps, from whichever the record is unknown. */
  private static final Duration QUARANTINE = Duration.ofSeconds(12);

  private static final Duration HOLD = Duration.ofSeconds(15);

  private static PgFixture fixture;
  private static PgRecordStore postgres;
  private static PgUpkeep upkeep;

  @BeforeContainer
  static void open() {
    fixture = new PgFixture(PgRulesPropertyIT.class);
    postgres = fixture.open();
    upkeep = fixture.openUpkeep();
  }

  @AfterContainer
  static void close() {
    fixture.close();
  }

  enum Command {
    CLAIM,
    CLAIM_OTHER_PAYLOAD,
    CLAIM_AGAIN,
    COMPLETE,
    COMPLETE_OTHERWISE,
    RELEASE,
    MARK_UNKNOWN,
    RENEW,
    LAPSE,
    PURGE,
    TAKE,
    APPLIED,
    NOT_APPLIED,
    INSISTED,
    ASK_AGAIN,
    GIVE_UP,
    ELAPSE
  }

  /**
   * One step.
   *
   * @param pick which of the tokens or claims so far, the newest first
   */
  record Step(Command command, int key, int pick) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    // Mostly the newest token: older ones are fenced and lead nowhere.
    Arbitrary<Integer> pick =
        Arbitraries.frequency(
            net.jqwik.api.Tuple.of(6, 0),
            net.jqwik.api.Tuple.of(1, 1),
            net.jqwik.api.Tuple.of(1, 3));
    return Combinators.combine(
            Arbitraries.of(Command.class), Arbitraries.integers().between(0, KEYS - 1), pick)
        .as(Step::new)
        .list()
        .ofMinSize(8)
        .ofMaxSize(50);
  }

  @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
  void randomCommands_leaveBothStoresAlike(@ForAll("steps") List<Step> steps) {
    Run run = new Run();
    for (Step step : steps) {
      run.take(step);
    }
  }

  /** Both stores side by side over keys of their own. */
  private static final class Run {
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final InMemoryRecordStore memory = new InMemoryRecordStore(() -> now);
    private final String tenant = UpkeepUnderTest.anyTenant();
    private final Side expected =
        new Side(memory, memory.upkeep(), memory.upkeep(), tenant, () -> now);
    private final Side actual =
        new Side(postgres, upkeep, upkeep, tenant, () -> get(upkeep.clock()));
    private final List<RecordId> ids = new ArrayList<>();
    private final List<List<Claim>> claims = new ArrayList<>();

    Run() {
      for (int i = 0; i < KEYS; i++) {
        ids.add(Records.anyId());
        claims.add(new ArrayList<>());
      }
    }

    void take(Step step) {
      if (step.command() == Command.ELAPSE) {
        Duration by = Duration.ofSeconds(10L + 10L * step.pick());
        now = now.plus(by);
        fixture.elapse(by);
      } else {
        Claim claim = claim(step);
        String wanted = expected.ask(step, ids.get(step.key()), claim);
        assertThat(actual.ask(step, ids.get(step.key()), claim)).as("%s", step).isEqualTo(wanted);
      }
      for (RecordId id : ids) {
        assertThat(actual.read(id)).as("the record after %s", step).isEqualTo(expected.read(id));
        assertThat(actual.show(id)).as("what shows after %s", step).isEqualTo(expected.show(id));
      }
      assertThat(actual.book()).as("the books after %s", step).isEqualTo(expected.book());
    }

    private Claim claim(Step step) {
      List<Claim> before = claims.get(step.key());
      if (step.command() == Command.CLAIM_AGAIN && !before.isEmpty()) {
        return before.get(Math.max(0, before.size() - 1 - step.pick()));
      }
      String payload = step.command() == Command.CLAIM_OTHER_PAYLOAD ? "B" : "A";
      // The last key is forgotten at its deadline.
      Duration tombstone = step.key() == KEYS - 1 ? Duration.ZERO : TOMBSTONE;
      Claim claim =
          Records.of(
              tenant,
              "charges",
              Records.claim(ids.get(step.key()), payload, LEASE, RETENTION, tombstone));
      if (step.command().name().startsWith("CLAIM")) {
        before.add(claim);
      }
      return claim;
    }
  }

  /** One store, and the tokens that it has given in their order. */
  private static final class Side {
    private final RecordStore store;
    private final RecordUpkeep upkeep;
    private final RecordReader reader;
    private final String tenant;
    private final Supplier<Instant> clock;
    private final List<FencingToken> tokens = new ArrayList<>();

    Side(
        RecordStore store,
        RecordUpkeep upkeep,
        RecordReader reader,
        String tenant,
        Supplier<Instant> clock) {
      this.clock = clock;
      this.store = store;
      this.upkeep = upkeep;
      this.reader = reader;
      this.tenant = tenant;
    }

    String ask(Step step, RecordId id, Claim claim) {
      FencingToken token =
          tokens.isEmpty()
              ? new FencingToken(1)
              : tokens.get(Math.max(0, tokens.size() - 1 - step.pick()));
      return switch (step.command()) {
        case CLAIM, CLAIM_OTHER_PAYLOAD, CLAIM_AGAIN -> text(get(store.claim(claim)));
        case COMPLETE -> text(get(store.complete(id, token, Records.answer("a"))));
        case COMPLETE_OTHERWISE -> text(get(store.complete(id, token, large())));
        case RELEASE -> text(get(store.release(id, token)));
        case MARK_UNKNOWN -> text(get(store.markUnknown(id, token, "reset")));
        case RENEW -> text(get(store.renew(List.of(new Renewal(id, token, LEASE)))).get(0));
        case LAPSE ->
            lines(
                get(upkeep.lapse(MANY)).stream()
                    .filter(moved -> moved.tenant().equals(tenant))
                    .map(moved -> moved.id() + " " + number(moved.token())));
        case PURGE -> {
          UpkeepUnderTest.drained(() -> upkeep.expire(MANY));
          UpkeepUnderTest.drained(() -> upkeep.forget(MANY));
          yield "";
        }
        case TAKE ->
            lines(
                get(upkeep.take(MANY, HOLD)).stream()
                    .filter(due -> due.record().facts().tenant().equals(tenant))
                    .map(due -> text(due.record()) + due.questions() + due.lastSaid()));
        case APPLIED -> resolve(id, token, new Verdict.Applied(large()));
        case NOT_APPLIED -> resolve(id, token, new Verdict.NotApplied(clock.get(), QUARANTINE));
        case INSISTED -> resolve(id, token, new Verdict.NotApplied(clock.get(), Duration.ZERO));
        case ASK_AGAIN -> resolve(id, token, new Verdict.Undecided(Optional.of(HOLD)));
        case GIVE_UP -> resolve(id, token, new Verdict.Undecided(Optional.empty()));
        case ELAPSE -> throw new IllegalStateException();
      };
    }

    private static String lines(Stream<String> lines) {
      return lines.sorted().collect(Collectors.joining("\n"));
    }

    private String resolve(RecordId id, FencingToken token, Verdict verdict) {
      ResolveOutcome outcome =
          get(upkeep.resolve(id, token, verdict, UpkeepUnderTest.probed("said")));
      if (outcome instanceof ResolveOutcome.Quarantined held) {
        return "quarantined " + left(facts(id).claimedAt(), held.until());
      }
      return outcome instanceof ResolveOutcome.Resolved done
          ? "resolved" + (done.deadline() == null ? "" : " with a deadline")
          : "stale";
    }

    private ClaimFacts facts(RecordId id) {
      return get(store.read(id)).orElseThrow().facts();
    }

    String show(RecordId id) {
      String shown =
          get(reader.show(tenant, id))
              .map(
                  found ->
                      found.record().getClass().getSimpleName()
                          + found.unknownReason()
                          + found.questions()
                          + found.waitsForPerson())
              .orElse("absent");
      return shown
          + get(reader.timeline(tenant, id)).stream()
              .map(entry -> entry.kind() + entry.by() + entry.text() + " " + number(entry.token()))
              .toList();
    }

    /** What has come of the tenant's claims; the age of the oldest is of no account here. */
    String book() {
      return get(upkeep.books()).stream()
          .filter(book -> book.tenant().equals(tenant))
          .map(
              book -> {
                assertThat(book.imbalance()).isZero();
                return "%d = %d + %d + %d + %d, %d live, %d expired, %d wait"
                    .formatted(
                        book.claims(),
                        book.completed(),
                        book.released(),
                        book.unknown(),
                        book.running(),
                        book.live(),
                        book.expired(),
                        book.waiting());
              })
          .findFirst()
          .orElse("none");
    }

    String read(RecordId id) {
      return get(store.read(id)).map(this::text).orElse("absent");
    }

    private static StoredAnswer large() {
      return Records.answer(404, new StoredBody.ByReference(Records.noise(9000)));
    }

    private String text(ClaimOutcome outcome) {
      if (outcome instanceof ClaimOutcome.Won won) {
        if (!tokens.contains(won.token())) {
          assertThat(tokens).allMatch(earlier -> earlier.compareTo(won.token()) < 0);
          tokens.add(won.token());
        }
        return "won " + number(won.token()) + " until " + left(won.leaseUntil(), won.deadline());
      } else if (outcome instanceof ClaimOutcome.Replay replay) {
        return "replay " + text(replay.record());
      } else if (outcome instanceof ClaimOutcome.InFlight met) {
        return "in-flight " + text(met.record()) + " since " + met.running().toSeconds() / 10;
      } else if (outcome instanceof ClaimOutcome.Mismatch met) {
        return "mismatch " + text(met.record());
      } else if (outcome instanceof ClaimOutcome.OutcomeUnknown met) {
        return "unknown " + text(met.record());
      } else if (outcome instanceof ClaimOutcome.DeadlinePassed met) {
        return "passed " + text(met.record());
      }
      throw new AssertionError(outcome);
    }

    private String text(SettleOutcome outcome) {
      return outcome instanceof SettleOutcome.Done done
          ? "done" + (done.deadline() == null ? "" : " with a deadline")
          : outcome.getClass().getSimpleName();
    }

    private String text(RenewOutcome outcome) {
      return outcome.getClass().getSimpleName();
    }

    private String text(IdempotencyRecord record) {
      Instant claimed = record.facts().claimedAt();
      String what =
          record.getClass().getSimpleName()
              + " "
              + number(record.facts().token())
              + " by "
              + record.facts().claimId();
      if (record instanceof IdempotencyRecord.Claimed live) {
        return what + " until " + left(claimed, live.leaseUntil());
      } else if (record instanceof IdempotencyRecord.Unknown unknown) {
        return what + " since " + left(claimed, unknown.since());
      } else if (record instanceof IdempotencyRecord.Completed completed) {
        return what + " " + completed.answer() + " at " + left(claimed, completed.completedAt());
      }
      return what + " at " + left(claimed, ((IdempotencyRecord.Expired) record).completedAt());
    }

    /** In whole steps: real milliseconds pass between two commands. */
    private static long left(Instant from, Instant to) {
      return Math.round(Duration.between(from, to).toMillis() / 5000.0);
    }

    private int number(FencingToken token) {
      return tokens.indexOf(token);
    }
  }
}

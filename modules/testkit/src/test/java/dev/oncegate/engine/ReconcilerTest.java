package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.engine.Interview.Finding;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import dev.oncegate.testkit.InMemoryUpkeep;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReconcilerTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Duration QUARANTINE = Duration.ofSeconds(105);

  private final EngineBench bench = new EngineBench();
  private final InMemoryUpkeep upkeep = bench.memory.upkeep();
  private final List<Promise<Finding>> questions = new ArrayList<>();
  private final AnswerCipher cipher = new AnswerCipher(bench.keys, bench.time);
  private boolean configured = true;
  private Reconciler reconciler;
  private Sweeper sweeper;

  @BeforeEach
  void make() {
    bench.protocol = with(Reconciliation.OnAmbiguous.AUTO, true, false);
    bench.admission("k", "A");
    Interview interview =
        (due, protocol, tenant) -> {
          Promise<Finding> asked = Promise.promise();
          questions.add(asked);
          return asked.future();
        };
    reconciler =
        new Reconciler(
            upkeep,
            bench.policies,
            () -> configured ? List.of(bench.tenant()) : List.of(),
            interview,
            new ProbeLimits(bench.time),
            bench.events,
            100);
    sweeper = new Sweeper(upkeep, bench.events, Failpoints.NONE, 100);
  }

  static RoutePolicy.Protocol probed() {
    return with(Reconciliation.OnAmbiguous.AUTO, true, false);
  }

  private static RoutePolicy.Protocol with(
      Reconciliation.OnAmbiguous way, boolean probe, boolean key) {
    RoutePolicy.Protocol p = SamplePolicies.protocol();
    Reconciliation reconciliation =
        new Reconciliation(
            way,
            QUARANTINE,
            key
                ? Optional.of(
                    new Reconciliation.UpstreamKey(
                        "X-Key",
                        Reconciliation.UpstreamKey.Source.DERIVED,
                        Optional.empty(),
                        Optional.of("X-Token")))
                : Optional.empty(),
            probe
                ? Optional.of(
                    new Reconciliation.Probe(
                        "GET",
                        "/charges/{id}",
                        List.of(),
                        new Reconciliation.Applied(
                            Set.of(200),
                            Optional.of(JsonPointer.compile("/id")),
                            201,
                            Optional.empty()),
                        new Reconciliation.NotApplied(Set.of(404), Optional.empty()),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(15),
                        false))
                : Optional.empty());
    return new RoutePolicy.Protocol(
        "v-" + way + probe + key,
        p.key(),
        p.fingerprint(),
        p.outcome(),
        p.lease(),
        p.maxRequest(),
        p.capture(),
        p.neverStore(),
        p.encrypt(),
        p.retention(),
        reconciliation);
  }

  /** A request whose exchange broke off: its record is unknown. */
  private void unknown() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
  }

  private Future<Reconciler.Counts> run() {
    return reconciler.runOnce();
  }

  private void answer(Finding finding) {
    questions.remove(0).complete(finding);
  }

  private Finding applied(String body) {
    var facts = ((Unknown) bench.record("k").orElseThrow()).facts();
    return new Finding.Applied(
        cipher
            .seal(
                facts,
                bench.protocol,
                new StoredResponse(
                    201,
                    List.of(new HeaderField("Content-Type", "application/json")),
                    Optional.of(Bytes.wrap(body.getBytes(StandardCharsets.UTF_8)))))
            .orElseThrow());
  }

  private List<String> timeline() {
    return upkeep.timeline("acme", bench.admission("k", "A").id()).result().stream()
        .map((TimelineEntry e) -> e.kind().label() + " by " + e.by())
        .toList();
  }

  @Test
  void applied_completes_andEveryRetryGetsTheReconstructedAnswer() {
    unknown();
    Future<Reconciler.Counts> round = run();
    answer(applied("{\"id\":1}"));

    assertThat(round.result()).isEqualTo(new Reconciler.Counts(1, 1, false));
    Answer.Replayed replayed = (Answer.Replayed) bench.send("k", "A").result();
    assertThat(replayed.reconstructed()).isTrue();
    assertThat(replayed.response().status()).isEqualTo(201);
    assertThat(bench.send("k", "B").result().status()).isEqualTo(IdempotencyStatus.MISMATCH);
    assertThat(bench.upstream.sent()).hasSize(1);
    assertThat(timeline()).containsExactly("unknown by owner", "resolved by reconciler");
  }

  @Test
  void notApplied_releasesOnlyWhereItWasAskedAfterTheQuarantine() {
    unknown();
    for (Duration passed = Duration.ZERO;
        passed.compareTo(QUARANTINE) < 0;
        passed = passed.plusSeconds(5)) {
      run();
      answer(new Finding.NotApplied());
      assertThat(EngineBench.problem(bench.send("k", "A")).type())
          .as("%s after it turned unknown", passed)
          .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
      bench.time.advance(Duration.ofSeconds(5));
    }
    run();
    answer(new Finding.NotApplied());
    assertThat(bench.record("k")).isEmpty();
    assertThat(timeline())
        .containsExactly("unknown by owner", "probed by reconciler", "resolved by reconciler");
    bench.send("k", "A");
    bench.upstream.answer(201, "second");
    assertThat(bench.upstream.sent()).hasSize(2);
  }

  @Test
  void notAppliedThatWasAskedWithinTheQuarantine_isNoReleaseHoweverLateItsAnswerComes() {
    unknown();
    bench.time.advance(QUARANTINE.minusMillis(1));
    run();
    bench.time.advance(Duration.ofSeconds(20));
    answer(new Finding.NotApplied());
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
  }

  @Test
  void ownerThatIsOnlyLate_winsOverAVerdictThatComesAfterIt_andTheOtherWayRound() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advanceDatabaseOnly(LEASE);
    sweeper.runOnce();
    run();
    Finding verdict = applied("{\"id\":1}");
    bench.upstream.answer(201, "own");
    answer(verdict);
    assertThat(EngineBench.bodyOf(first)).isEqualTo("own");
    assertThat(EngineBench.bodyOf(bench.send("k", "A"))).isEqualTo("own");
    assertThat(((Completed) bench.record("k").orElseThrow()).reconstructed()).isFalse();
  }

  @Test
  void verdictThatIsFaster_isWhatTheLateOwnersClientGets() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advanceDatabaseOnly(LEASE);
    sweeper.runOnce();
    run();
    answer(applied("{\"id\":1}"));
    bench.upstream.answer(201, "own");
    assertThat(EngineBench.bodyOf(first)).isEqualTo("{\"id\":1}");
    assertThat(first.result()).isInstanceOf(Answer.Replayed.class);
    assertThat(bench.events.lines).contains("stale");
    assertThat(timeline())
        .containsExactly("unknown by sweeper", "resolved by reconciler", "fenced by owner");
  }

  @Test
  void silenceUntilGiveUpAfter_isLeftToAPersonWithAnAlarm() {
    unknown();
    Duration waited = Duration.ZERO;
    while (waited.compareTo(Duration.ofMinutes(15)) <= 0) {
      run();
      answer(new Finding.Undecided(false, "no answer"));
      bench.time.advance(Duration.ofSeconds(5));
      waited = waited.plusSeconds(5);
    }
    assertThat(run().result().taken()).isZero();
    assertThat(bench.events.lines).contains("gave up");
    assertThat(timeline())
        .containsExactly("unknown by owner", "probed by reconciler", "gave-up by reconciler");
    assertThat(upkeep.books().result()).extracting(Book::waiting).containsExactly(1L);
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
  }

  @Test
  void routeWithoutAnybodyToAsk_isAPersonsAtOnce_andNeverExpires() {
    bench.protocol = with(Reconciliation.OnAmbiguous.HOLD, true, true);
    bench.honoursKey = true;
    unknown();
    run();
    assertThat(questions).isEmpty();
    assertThat(bench.events.lines).contains("gave up");
    bench.time.advance(Duration.ofDays(400));
    sweeper.runOnce();
    run();
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void tenantThatIsNotConfiguredAnyMore_isWaitedForUntilGiveUpAfter() {
    unknown();
    configured = false;
    run();
    bench.time.advance(Duration.ofMinutes(1));
    configured = true;
    run();
    assertThat(questions).hasSize(1);
    answer(new Finding.Undecided(false, "no answer"));
    configured = false;
    bench.time.advance(Duration.ofMinutes(15));
    run();
    assertThat(questions).isEmpty();
    assertThat(bench.events.lines).contains("gave up");
  }

  @Test
  void limitOfATenant_boundsTheQuestionsOfARound() {
    bench.probesPerSecond = 2;
    for (String key : List.of("a", "b", "c", "d")) {
      bench.send(key, "A");
      bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    }
    run();
    assertThat(questions).hasSize(2);
    // Put off by the rate, and not for as long as somebody who asks would hold them.
    bench.time.advance(Duration.ofMillis(500));
    run();
    assertThat(questions).hasSize(3);
    bench.time.advance(Duration.ofMillis(500));
    run();
    assertThat(questions).hasSize(4);
  }

  /** A node that dies with 300 exchanges must not leave them unknown for minutes. */
  @Test
  void manyThatAreUnknownAtOnce_areAllAskedAboutAtTheRate() {
    bench.probesPerSecond = 10;
    for (int i = 0; i < 300; i++) {
      bench.send("k" + i, "A");
      bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    }
    int asked = 0;
    for (int millis = 0; millis < 40_000; millis += 200) {
      run();
      asked += questions.size();
      while (!questions.isEmpty()) {
        answer(new Finding.Undecided(false, "down"));
      }
      bench.time.advance(Duration.ofMillis(200));
      if (asked >= 300) {
        assertThat(millis).isBetween(25_000, 36_000);
        return;
      }
    }
    assertThat(asked).isGreaterThanOrEqualTo(300);
  }

  @Test
  void recordThatIsBeingAskedAbout_isNobodyElsesMeanwhile() {
    unknown();
    run();
    assertThat(run().result().taken()).isZero();
    assertThat(questions).hasSize(1);
  }

  @Test
  void c09k_honouredKey_retryGoesOutUnderTheSameKeyWithAGreaterToken() {
    bench.protocol = with(Reconciliation.OnAmbiguous.AUTO, false, true);
    bench.honoursKey = true;
    bench.send("k", "A");
    bench.store.fault(Operation.RENEW, Fault.DOWN);
    bench.time.advance(LEASE);
    bench.store.heal();
    Future<Answer> retry = bench.send("k", "A");
    bench.upstream.sent().forEach(r -> assertThat(r.headers()).hasSize(2));
    List<String> keys =
        bench.upstream.sent().stream().map(r -> header(r, "X-Key")).distinct().toList();
    List<Long> tokens =
        bench.upstream.sent().stream().map(r -> Long.parseLong(header(r, "X-Token"))).toList();
    assertThat(keys).hasSize(1);
    assertThat(tokens).hasSize(2);
    assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
    bench.upstream.answer(201, "late first");
    bench.upstream.answer(201, "second");
    assertThat(EngineBench.bodyOf(retry)).isEqualTo("second");
    assertThat(bench.events.lines).contains("stale");
    assertThat(timeline()).contains("resolved by policy", "fenced by owner");
  }

  @Test
  void retryThatDoesNotGetThrough_keepsTheKeyOfTheUnknownAttempt() {
    bench.protocol = with(Reconciliation.OnAmbiguous.AUTO, false, true);
    bench.honoursKey = true;
    unknown();
    for (UpstreamResult result :
        List.of(
            new UpstreamResult.NotSent("connection refused"),
            new UpstreamResult.Answered(new UpstreamAnswer(503, List.of(), Bytes.EMPTY)))) {
      Future<Answer> retry = bench.send("k", "A");
      bench.upstream.end(result);
      assertThat(retry.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
      assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
      assertThat(bench.send("k", "B").result().status()).isEqualTo(IdempotencyStatus.MISMATCH);
    }
    Future<Answer> last = bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    assertThat(EngineBench.bodyOf(last)).isEqualTo("c1");
    assertThat(bench.upstream.sent()).hasSize(4);
    assertThat(bench.upstream.sent().stream().map(r -> header(r, "X-Key")).distinct()).hasSize(1);
  }

  @Test
  void honouredKeyOfARecordThatNobodyRetries_isReleasedWhenNoRetryCanComeAnyMore() {
    bench.protocol = with(Reconciliation.OnAmbiguous.RELEASE, false, true);
    bench.honoursKey = true;
    unknown();
    run();
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
    bench.time.advance(Duration.ofMinutes(121));
    run();
    assertThat(bench.record("k")).isEmpty();
    assertThat(timeline()).containsExactly("unknown by owner", "resolved by policy");
  }

  @Test
  void routeThatNamesAnotherHeaderByNow_releasesNothing() {
    bench.protocol = with(Reconciliation.OnAmbiguous.RELEASE, false, true);
    bench.honoursKey = true;
    unknown();
    RoutePolicy.Protocol old = bench.protocol;
    bench.protocol = with(Reconciliation.OnAmbiguous.HOLD, false, false);
    bench.archive.remember(
        List.of(
            new dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy(
                old.version(), "acme", "create-charge", "{}")));
    bench.decoded = old;
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void wordThatIsNoLongerGiven_releasesNothing() {
    bench.protocol = with(Reconciliation.OnAmbiguous.RELEASE, false, true);
    bench.honoursKey = true;
    unknown();
    bench.honoursKey = false;
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
    run();
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void sweeper_agesEverythingButWhatIsClaimedOrUnknown_andTheBooksBalance() {
    bench.send("done", "A");
    bench.upstream.answer(201, "done");
    bench.send("released", "A");
    bench.upstream.answer(503, "later");
    unknown();
    bench.time.advance(Duration.ofMinutes(61));
    assertThat(sweeper.runOnce().result()).isEqualTo(new Sweeper.Counts(0, 1, 0, false));
    bench.time.advance(Duration.ofMinutes(61));
    assertThat(sweeper.runOnce().result()).isEqualTo(new Sweeper.Counts(0, 0, 1, false));
    assertThat(upkeep.books().result())
        .singleElement()
        .satisfies(
            book -> {
              assertThat(book.claims()).isEqualTo(3);
              assertThat(book.completed()).isEqualTo(1);
              assertThat(book.released()).isEqualTo(1);
              assertThat(book.unknown()).isEqualTo(1);
              assertThat(book.imbalance()).isZero();
            });
  }

  private static String header(UpstreamRequest request, String name) {
    return request.headers().stream()
        .filter(h -> h.is(name))
        .map(HeaderField::value)
        .findFirst()
        .orElseThrow();
  }
}

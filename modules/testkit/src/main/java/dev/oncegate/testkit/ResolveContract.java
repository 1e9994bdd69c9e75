package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.ResolveOutcome.Quarantined;
import dev.oncegate.core.ResolveOutcome.Resolved;
import dev.oncegate.core.ResolveOutcome.Stale;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.core.Verdict.Applied;
import dev.oncegate.core.Verdict.NotApplied;
import dev.oncegate.core.Verdict.Undecided;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Verdicts on unknown outcomes. */
public interface ResolveContract extends UpkeepUnderTest {
  Duration QUARANTINE = Duration.ofMinutes(1);

  @Test
  default void applied_completesAsReconstructedAndIsReplayed() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    StoredAnswer answer = Records.answer(201, new StoredBody.Inline(Records.noise(100)));
    Resolved done = (Resolved) resolve(id, token, new Applied(answer));

    Completed record = (Completed) read(id).orElseThrow();
    assertThat(record.answer()).isEqualTo(answer);
    assertThat(record.reconstructed()).isTrue();
    assertThat(done.deadline()).isEqualTo(record.completedAt().plus(RETENTION));
    assertThat(((Replay) get(store().claim(Records.claim(id)))).record()).isEqualTo(record);
    assertThat(told(id)).containsExactly("unknown owner", "resolved kim");
    assertThat(get(store().complete(id, token, Records.answer("late"))))
        .isEqualTo(new SettleOutcome.Fenced());
  }

  @Test
  default void appliedWithALargeBody_isReplayedWhole() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    StoredAnswer answer = Records.answer(200, new StoredBody.ByReference(Records.noise(100_000)));
    resolve(id, token, new Applied(answer));
    assertThat(((Replay) get(store().claim(Records.claim(id)))).record().answer())
        .isEqualTo(answer);
  }

  @Test
  default void appliedWithoutABody_isNotKept() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    resolve(id, token, new Applied(Records.answer(201, new StoredBody.NotKept())));
    assertThat(((Completed) read(id).orElseThrow()).answer().body())
        .isEqualTo(new StoredBody.NotKept());
  }

  @Test
  default void notAppliedAskedBeforeTheQuarantineEnded_changesNothing() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    Unknown record = (Unknown) read(id).orElseThrow();
    Instant until = record.since().plus(QUARANTINE);

    assertThat(resolve(id, token, new NotApplied(until.minus(1, ChronoUnit.MICROS), QUARANTINE)))
        .isEqualTo(new Quarantined(until));
    assertThat(read(id)).contains(record);
    assertThat(told(id)).containsExactly("unknown owner");

    assertThat(resolve(id, token, new NotApplied(until, QUARANTINE))).isEqualTo(new Resolved(null));
    assertThat(read(id)).isEmpty();
    assertThat(told(id)).containsExactly("unknown owner", "resolved kim");
    assertThat(claimed(id)).isGreaterThan(token);
  }

  @Test
  default void withoutAQuarantine_notAppliedReleasesAtOnce() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    Instant now = get(upkeep().clock());
    assertThat(now).isAfterOrEqualTo(((Unknown) read(id).orElseThrow()).since());
    assertThat(resolve(id, token, new NotApplied(now, Duration.ZERO)))
        .isEqualTo(new Resolved(null));
    assertThat(read(id)).isEmpty();
  }

  @Test
  default void lapsedClaim_isUnknownSinceItsLapse() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    elapse(LEASE.plus(QUARANTINE).plusSeconds(10));
    Instant until = ((Unknown) read(id).orElseThrow()).since().plus(QUARANTINE);

    assertThat(resolve(id, token, new NotApplied(until.minus(1, ChronoUnit.MICROS), QUARANTINE)))
        .isEqualTo(new Quarantined(until));
    assertThat(told(id)).isEmpty();
    assertThat(resolve(id, token, new NotApplied(until, QUARANTINE))).isEqualTo(new Resolved(null));
    assertThat(told(id)).containsExactly("unknown sweeper", "resolved kim");
  }

  @Test
  default void undecidedOnALapsedClaim_writesTheLapseDown() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    elapse(LEASE.plusSeconds(10));
    Optional<IdempotencyRecord> before = read(id);
    undecided(id, token, Optional.of(Duration.ofMinutes(5)), "no answer");
    assertThat(read(id)).isEqualTo(before);
    assertThat(told(id)).containsExactly("unknown sweeper", "probed reconciler");
    assertThat(shown(id).unknownReason()).isEqualTo("the lease lapsed");
    assertThat(lapseAll()).noneMatch(moved -> moved.id().equals(id));
  }

  @Test
  default void undecided_isAskedAgainLaterAndKeepsWhatWasSaid() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    takeAll(Duration.ofMinutes(1));
    undecided(id, token, Optional.of(Duration.ofMinutes(5)), "503");
    undecided(id, token, Optional.of(Duration.ofMinutes(5)), null);
    // Put off without a question: it is due later, and the count stays.
    get(
        upkeep()
            .resolve(
                id, token, new Undecided(Optional.of(Duration.ofMinutes(5)), false), List.of()));
    elapse(Duration.ofMinutes(4));
    assertThat(takeAll(Duration.ofMinutes(1)))
        .noneMatch(due -> due.record().facts().id().equals(id));
    elapse(Duration.ofMinutes(1));
    assertThat(takeAll(Duration.ofMinutes(1)))
        .filteredOn(due -> due.record().facts().id().equals(id))
        .singleElement()
        .satisfies(
            due -> {
              assertThat(due.questions()).isEqualTo(2);
              assertThat(due.lastSaid()).isEqualTo("503");
            });
    assertThat(told(id)).containsExactly("unknown owner", "probed reconciler");
    assertThat(shown(id).questions()).isEqualTo(2);
    assertThat(shown(id).waitsForPerson()).isFalse();
  }

  @Test
  default void givenUp_isAPersonsToResolve() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    assertThat(
            get(
                upkeep()
                    .resolve(
                        id,
                        token,
                        new Undecided(Optional.empty()),
                        List.of(
                            new Note(Kind.PROBED, "reconciler", "503"),
                            new Note(Kind.GAVE_UP, "reconciler", "asked for 1h")))))
        .isEqualTo(new Resolved(null));
    assertThat(told(id))
        .containsExactly("unknown owner", "probed reconciler", "gave-up reconciler");
    assertThat(shown(id).waitsForPerson()).isTrue();
    assertThat(resolve(id, token, new Applied(Records.answer("a")))).isInstanceOf(Resolved.class);
    assertThat(shown(id).waitsForPerson()).isFalse();
  }

  @Test
  default void ownerWasFirst_everyVerdictIsStale() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    get(store().complete(id, token, Records.answer("own")));
    stale(id, token);
    assertThat(((Completed) read(id).orElseThrow()).answer()).isEqualTo(Records.answer("own"));
    assertThat(told(id)).containsExactly("unknown owner");
  }

  @Test
  default void anotherToken_isStale() {
    RecordId id = Records.anyId();
    FencingToken old = unknown(id);
    get(store().release(id, old));
    FencingToken current = unknown(id);
    stale(id, old);
    assertThat(read(id).orElseThrow().facts().token()).isEqualTo(current);
  }

  @Test
  default void liveClaim_isStale() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    stale(id, token);
    assertThat(read(id).orElseThrow()).isInstanceOf(IdempotencyRecord.Claimed.class);
  }

  @Test
  default void absentRecord_isStaleForAVerdict() {
    stale(Records.anyId(), new FencingToken(1));
  }

  @Test
  default void repeatedVerdict_isStaleAndToldOnce() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    resolve(id, token, new Applied(Records.answer("a")));
    assertThat(resolve(id, token, new Applied(Records.answer("a")))).isEqualTo(new Stale());
    assertThat(told(id)).containsExactly("unknown owner", "resolved kim");
  }

  @Test
  default void textsOfPeople_areKeptWithinBounds() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    get(
        upkeep()
            .resolve(
                id,
                token,
                new Applied(Records.answer("a")),
                List.of(new Note(Kind.RESOLVED, "kim", "ü€𝄞\0".repeat(1000)))));
    assertThat(timeline(id).get(1).text()).startsWith("ü€𝄞").hasSizeLessThanOrEqualTo(1000);
    assertThat(told(id)).endsWith("resolved kim");
  }

  private void stale(RecordId id, FencingToken token) {
    Instant past = Instant.parse("2020-01-01T00:00:00Z");
    assertThat(resolve(id, token, new Applied(Records.answer("v")))).isEqualTo(new Stale());
    assertThat(resolve(id, token, new NotApplied(past, Duration.ZERO))).isEqualTo(new Stale());
    assertThat(resolve(id, token, new Undecided(Optional.empty()))).isEqualTo(new Stale());
  }

  private ResolveOutcome resolve(RecordId id, FencingToken token, Verdict verdict) {
    return get(upkeep().resolve(id, token, verdict, UpkeepUnderTest.resolvedBy("kim")));
  }

  private void undecided(
      RecordId id, FencingToken token, Optional<Duration> again, @Nullable String said) {
    assertThat(
            get(
                upkeep()
                    .resolve(
                        id,
                        token,
                        new Undecided(again),
                        said == null ? List.of() : UpkeepUnderTest.probed(said))))
        .isEqualTo(new Resolved(null));
  }
}

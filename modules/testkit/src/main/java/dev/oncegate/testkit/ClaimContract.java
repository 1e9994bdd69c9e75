package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Mismatch;
import dev.oncegate.core.ClaimOutcome.OutcomeUnknown;
import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.engine.port.RecordStore.Renewal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims and leases. */
public interface ClaimContract extends StoreUnderTest {
  @Test
  default void absentKey_isWonAndReadsAsClaimed() {
    Claim claim = Records.claim(Records.anyId());
    Won won = win(claim);
    ClaimFacts facts = read(claim.id()).orElseThrow().facts();

    assertThat(won.deadline()).isEqualTo(facts.claimedAt().plus(RETENTION));
    assertThat(won.leaseUntil()).isEqualTo(facts.claimedAt().plus(LEASE));
    assertThat(read(claim.id())).contains(new Claimed(facts, won.leaseUntil()));
    assertThat(facts)
        .isEqualTo(
            new ClaimFacts(
                claim.id(),
                claim.tenant(),
                claim.route(),
                claim.principalTag(),
                claim.fingerprint(),
                claim.policy(),
                claim.secretId(),
                won.token(),
                claim.claimId(),
                claim.owner(),
                facts.claimedAt(),
                claim.retention(),
                claim.tombstone(),
                claim.inputs()));
  }

  @Test
  default void neverClaimedKey_readsAsEmpty() {
    assertThat(read(Records.anyId())).isEmpty();
  }

  @Test
  default void sameClaimAskedTwice_isWonWithTheSameToken() {
    Claim claim = Records.claim(Records.anyId());
    assertThat(win(claim)).isEqualTo(win(claim));
  }

  @Test
  default void rivalWhileClaimed_isInFlightWithTheWinnersRecord() {
    RecordId id = Records.anyId();
    Won won = win(Records.claim(id));
    elapse(Duration.ofSeconds(10));

    InFlight met = (InFlight) get(store().claim(Records.claim(id)));
    assertThat(met.record().facts().token()).isEqualTo(won.token());
    assertThat(met.running()).isCloseTo(Duration.ofSeconds(10), Duration.ofSeconds(9));
  }

  @Test
  default void manyAtOnce_haveOneWinner() {
    RecordId id = Records.anyId();
    List<Future<ClaimOutcome>> asked = new ArrayList<>();
    IntStream.range(0, 50).forEach(i -> asked.add(store().claim(Records.claim(id))));
    List<ClaimOutcome> outcomes = asked.stream().map(StoreUnderTest::get).toList();

    assertThat(outcomes).filteredOn(Won.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(InFlight.class::isInstance).hasSize(49);
  }

  @Test
  default void releasedAndClaimedAgain_tokensGrow() {
    RecordId id = Records.anyId();
    FencingToken last = new FencingToken(1);
    for (int i = 0; i < 5; i++) {
      FencingToken token = win(Records.claim(id)).token();
      if (i > 0) {
        assertThat(token).isGreaterThan(last);
      }
      last = token;
      get(store().release(id, token));
    }
  }

  @Test
  default void lapsedClaim_isUnknownAndNeverWon() {
    Claim claim = Records.claim(Records.anyId());
    FencingToken token = win(claim).token();
    elapse(LEASE.plusSeconds(1));

    Unknown read = (Unknown) read(claim.id()).orElseThrow();
    assertThat(read.since())
        .isCloseTo(read.facts().claimedAt().plus(LEASE), within(1, ChronoUnit.MILLIS));
    OutcomeUnknown rival = (OutcomeUnknown) get(store().claim(Records.claim(claim.id())));
    assertThat(rival.record()).isEqualTo(read);
    assertThat(rival.record().facts().token()).isEqualTo(token);
    // Its own claim id wins nothing either: the owner may have been asleep, and has sent or not.
    assertThat(get(store().claim(claim))).isInstanceOf(OutcomeUnknown.class);
    assertThat(read(claim.id())).contains(read);
  }

  @Test
  default void otherPayload_isMismatchInEveryState() {
    RecordId id = Records.anyId();
    FencingToken token = win(Records.claim(id)).token();
    assertThat(mismatch(id)).isInstanceOf(Claimed.class);
    get(store().markUnknown(id, token, "reset"));
    assertThat(mismatch(id)).isInstanceOf(Unknown.class);
    get(store().complete(id, token, Records.answer("a")));
    assertThat(mismatch(id)).isInstanceOf(Completed.class);
    elapse(RETENTION.plusSeconds(1));
    assertThat(mismatch(id)).isInstanceOf(Expired.class);
  }

  @Test
  default void otherPayloadOnLapsedClaim_isMismatchWithUnknown() {
    RecordId id = Records.anyId();
    win(Records.claim(id));
    elapse(LEASE.plusSeconds(1));
    assertThat(mismatch(id)).isInstanceOf(Unknown.class);
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(OutcomeUnknown.class);
  }

  @Test
  default void ownClaimAskedAgainAfterCompletion_isReplay() {
    Claim claim = Records.claim(Records.anyId());
    get(store().complete(claim.id(), win(claim).token(), Records.answer("a")));
    assertThat(get(store().claim(claim))).isInstanceOf(Replay.class);
  }

  @Test
  default void renewal_extendsTheLeaseAndNeverShortensIt() {
    RecordId id = Records.anyId();
    Won won = win(Records.claim(id));
    RenewOutcome.Renewed longer =
        (RenewOutcome.Renewed) renew(id, won.token(), LEASE.multipliedBy(4));
    assertThat(longer.leaseUntil()).isAfter(won.leaseUntil());
    RenewOutcome.Renewed shorter =
        (RenewOutcome.Renewed) renew(id, won.token(), Duration.ofSeconds(1));
    assertThat(shorter.leaseUntil()).isEqualTo(longer.leaseUntil());

    elapse(LEASE.multipliedBy(2));
    assertThat(read(id).orElseThrow()).isInstanceOf(Claimed.class);
  }

  @Test
  default void lapsedLease_isNotRevived() {
    RecordId id = Records.anyId();
    FencingToken token = win(Records.claim(id)).token();
    elapse(LEASE.plusSeconds(1));
    assertThat(renew(id, token, LEASE)).isEqualTo(new RenewOutcome.Fenced());
    assertThat(read(id).orElseThrow()).isInstanceOf(Unknown.class);
  }

  @Test
  default void renewalsInOneBatch_haveEachItsOwnOutcomeInOrder() {
    RecordId fine = Records.anyId();
    RecordId unknown = Records.anyId();
    RecordId another = Records.anyId();
    FencingToken fineToken = win(Records.claim(fine)).token();
    FencingToken unknownToken = win(Records.claim(unknown)).token();
    FencingToken anothers = win(Records.claim(another)).token();
    get(store().markUnknown(unknown, unknownToken, "reset"));

    List<RenewOutcome> outcomes =
        get(
            store()
                .renew(
                    List.of(
                        new Renewal(Records.anyId(), fineToken, LEASE),
                        new Renewal(unknown, unknownToken, LEASE),
                        new Renewal(fine, fineToken, LEASE),
                        new Renewal(another, new FencingToken(anothers.value() + 1), LEASE))));
    assertThat(outcomes).hasSize(4);
    assertThat(outcomes.get(0)).isInstanceOf(RenewOutcome.Fenced.class);
    assertThat(outcomes.get(1)).isInstanceOf(RenewOutcome.Fenced.class);
    assertThat(outcomes.get(2)).isInstanceOf(RenewOutcome.Renewed.class);
    assertThat(outcomes.get(3)).isInstanceOf(RenewOutcome.Fenced.class);
  }

  @Test
  default void nothingToRenew_isNoOutcome() {
    assertThat(get(store().renew(List.of()))).isEmpty();
  }

  /** Claims where nothing is in the way. */
  default Won win(Claim claim) {
    ClaimOutcome outcome = get(store().claim(claim));
    assertThat(outcome).isInstanceOf(Won.class);
    return (Won) outcome;
  }

  private IdempotencyRecord mismatch(RecordId id) {
    ClaimOutcome outcome = get(store().claim(Records.claim(id, "B")));
    assertThat(outcome).isInstanceOf(Mismatch.class);
    return ((Mismatch) outcome).record();
  }

  private RenewOutcome renew(RecordId id, FencingToken token, Duration ttl) {
    return get(store().renew(List.of(new Renewal(id, token, ttl)))).get(0);
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A person's verdict on unknown outcomes, under the rules of a probe's: it names the token, obeys
 * the quarantine ({@code force} skips that and nothing else), and settles record and timeline in
 * one statement (contract §6, §10). Lives on one event loop.
 */
public final class Resolution {
  /** Of a completion whose answer nobody has: the record says that it happened. */
  private static final int DONE = 200;

  private final RecordReader reader;
  private final RecordUpkeep upkeep;
  private final PolicyVersions policies;
  private final AnswerCipher cipher;
  private final InputsCipher inputs;
  private final EngineEvents events;

  public Resolution(
      RecordReader reader,
      RecordUpkeep upkeep,
      PolicyVersions policies,
      KeyRing keys,
      Time time,
      EngineEvents events) {
    this.reader = reader;
    this.upkeep = upkeep;
    this.policies = policies;
    this.cipher = new AnswerCipher(keys, time);
    this.inputs = new InputsCipher(keys, time);
    this.events = events;
  }

  /** What a person says of an outcome. */
  public enum Ruling {
    /** The effect is there. */
    APPLIED,
    /** There is no effect, and none can still appear. */
    NOT_APPLIED
  }

  /**
   * What is to be written.
   *
   * @param reason for the timeline
   * @param by who says so
   * @param force releases within the quarantine
   * @param response what retries will get; with {@code APPLIED} only. Without one the record
   *     completes as "not kept"
   */
  public record Order(
      Ruling ruling, String reason, String by, boolean force, Optional<StoredResponse> response) {
    public Order {
      BrokenInvariant.require(!reason.isBlank(), "a verdict has a reason");
      BrokenInvariant.require(
          ruling == Ruling.APPLIED || response.isEmpty(), "only what was applied has a response");
    }
  }

  /** What became of an order on one record. */
  public sealed interface Result {
    /** It is written. */
    record Resolved() implements Result {}

    /** Not before then, unless by force. */
    record Quarantined(Instant until) implements Result {}

    /**
     * It is not unknown (any more).
     *
     * @param state as people call it
     */
    record NotUnknown(String state) implements Result {}

    /** There is no such record. */
    record Absent() implements Result {}

    /** It cannot be done. */
    record Refused(String why) implements Result {}
  }

  /** What a person needs to ask what became of a record; empty where it cannot be opened. */
  public Optional<ClaimInputs> inputs(Found found) {
    return inputs.open(found.record().facts());
  }

  /** The verdict on one record of a tenant. Fails where the store cannot be used. */
  public Future<Result> resolve(String tenant, RecordId id, Order order) {
    return reader
        .show(tenant, id)
        .compose(
            found ->
                found
                    .map(f -> resolve(f, order))
                    .orElse(Future.succeededFuture(new Result.Absent())));
  }

  /**
   * The verdict on one record as it was found; one that has changed since is left alone.
   *
   * @param found from {@link RecordReader}, so that many can be resolved page by page
   */
  public Future<Result> resolve(Found found, Order order) {
    if (!(found.record() instanceof IdempotencyRecord.Unknown unknown)) {
      return Future.succeededFuture(new Result.NotUnknown(State.of(found.record()).label()));
    }
    ClaimFacts facts = unknown.facts();
    return policies
        .asking(() -> Future.succeededFuture(policies.of(facts.policy())))
        .map(Optional::of)
        .recover(
            failure ->
                failure instanceof RecordStore.RecordDamaged
                    ? Future.succeededFuture(Optional.<RoutePolicy.Protocol>empty())
                    : Future.failedFuture(failure))
        .compose(protocol -> verdict(facts, protocol, order))
        .compose(
            verdict ->
                verdict
                    .map(v -> write(facts, v, order))
                    .orElse(
                        Future.succeededFuture(
                            new Result.Refused(
                                "the policy or the secret of this record is not known any"
                                    + " more"))));
  }

  private Future<Optional<Verdict>> verdict(
      ClaimFacts facts, Optional<RoutePolicy.Protocol> protocol, Order order) {
    if (order.ruling() == Ruling.APPLIED) {
      StoredResponse response =
          order.response().orElse(new StoredResponse(DONE, List.of(), Optional.empty()));
      Optional<StoredAnswer> answer = protocol.flatMap(p -> cipher.seal(facts, p, response));
      return Future.succeededFuture(answer.map(Verdict.Applied::new));
    }
    Optional<Duration> quarantine =
        order.force()
            ? Optional.of(Duration.ZERO)
            : protocol.map(p -> p.reconciliation().quarantine());
    return upkeep.clock().map(now -> quarantine.map(wait -> new Verdict.NotApplied(now, wait)));
  }

  private Future<Result> write(ClaimFacts facts, Verdict verdict, Order order) {
    String ruled = order.ruling() == Ruling.APPLIED ? "applied" : "not applied";
    String text = ruled + (order.force() ? ", by force: " : ": ") + order.reason();
    Note note = new Note(Kind.RESOLVED, order.by(), text);
    return upkeep
        .resolve(facts.id(), facts.token(), verdict, List.of(note))
        .map(
            outcome -> {
              if (outcome instanceof ResolveOutcome.Resolved) {
                events.resolved(
                    facts.tenant(), facts.route(), facts.id(), order.by(), ruled.replace(' ', '_'));
                return new Result.Resolved();
              } else if (outcome instanceof ResolveOutcome.Quarantined quarantined) {
                return new Result.Quarantined(quarantined.until());
              } else if (outcome instanceof ResolveOutcome.Stale) {
                return new Result.NotUnknown("changed meanwhile");
              }
              throw new BrokenInvariant("no such outcome: " + outcome.getClass());
            });
  }
}

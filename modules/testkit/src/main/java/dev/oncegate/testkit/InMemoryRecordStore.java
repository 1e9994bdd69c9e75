package dev.oncegate.testkit;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reference store: {@link RecordRules} on a map, atomic per record. */
public final class InMemoryRecordStore implements RecordStore {
  private final Map<RecordId, IdempotencyRecord> records = new ConcurrentHashMap<>();
  private final AtomicLong tokens = new AtomicLong();
  private final Supplier<Instant> clock;

  /**
   * An empty store.
   *
   * @param clock what the database's clock says
   */
  public InMemoryRecordStore(Supplier<Instant> clock) {
    this.clock = clock;
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    FencingToken token = new FencingToken(tokens.incrementAndGet());
    return Future.succeededFuture(
        decide(claim.id(), record -> RecordRules.claim(record, claim, token, clock.get())));
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return Future.succeededFuture(
        decide(id, record -> RecordRules.complete(record, token, answer, clock.get())));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return Future.succeededFuture(decide(id, record -> RecordRules.release(record, token)));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return Future.succeededFuture(
        decide(id, record -> RecordRules.markUnknown(record, token, clock.get())));
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return Future.succeededFuture(
        renewals.stream()
            .map(
                r ->
                    decide(
                        r.id(),
                        record -> RecordRules.renew(record, r.token(), r.ttl(), clock.get())))
            .toList());
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return Future.succeededFuture(
        Optional.ofNullable(RecordRules.aged(records.get(id), clock.get())));
  }

  /** How many records there are, tombstones too. */
  public int size() {
    return records.size();
  }

  private <T> T decide(RecordId id, Function<@Nullable IdempotencyRecord, Decision<T>> rule) {
    List<T> outcome = new ArrayList<>(1);
    records.compute(
        id,
        (unused, record) -> {
          Decision<T> decision = rule.apply(record);
          outcome.add(decision.outcome());
          return decision.next();
        });
    return outcome.get(0);
  }
}

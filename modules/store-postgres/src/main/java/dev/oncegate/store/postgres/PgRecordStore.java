package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.store.postgres.Lane.Reply;
import dev.oncegate.store.postgres.ReadSql.ClaimRef;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records in Postgres, for one event loop. Three lanes, so that a flood of claims never keeps
 * an owner from settling or a lease from being renewed (architecture D). Works without Postgres: it
 * then answers {@link StoreUnavailable} until Postgres is back, which it finds by itself.
 *
 * <p>Durable means what the server's own settings promise ({@link PgGuard}).
 */
public final class PgRecordStore implements RecordStore {
  /**
   * Every statement looks up rows by id. A plan is made once, perhaps on an empty table, where it
   * looks cheap to read the whole of it, and must stay right when the table has grown. A bitmap
   * scan is the one that exists only with a condition: with the others off, no statistics can make
   * the planner read a table from end to end.
   */
  static final Map<String, String> PLANS =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_indexscan", "off",
          "enable_indexonlyscan", "off",
          "jit", "off");

  private final ContextInternal context;
  private final Loop loop;
  private final PgStoreSettings settings;
  private final LongSupplier nanos;
  private final Wire wire;
  private final Lane claims;
  private final Lane settles;
  private final Lane reads;
  private final Withdrawals withdrawals;
  private final Notes notes;
  private final Claims claiming;
  private final BatchLane<SettleRow> completions;
  private final BatchLane<SettleRow> releases;
  private final BatchLane<SettleRow> unknowns;
  private final LookUps<RecordId, Optional<IdempotencyRecord>> records;
  private final LookUps<ClaimRef, Boolean> standing;

  private PgRecordStore(
      ContextInternal context,
      PgConnectOptions options,
      PgStoreSettings settings,
      LongSupplier nanos) {
    this.context = context;
    loop = new Loop(context);
    this.settings = settings;
    this.nanos = nanos;
    wire = new Wire(context.owner(), options);
    claims = lane("claims", settings.claimConnections());
    settles = lane("settles", settings.settleConnections());
    reads = lane("reads", settings.readConnections());
    withdrawals = new Withdrawals(context, settles, settings.patience(), nanos);
    notes = new Notes(settles, settings.patience(), nanos);
    completions = settling(SettleSql.COMPLETE, SettleSql::complete);
    releases = settling(SettleSql.RELEASE, SettleSql::release);
    unknowns = settling(SettleSql.MARK_UNKNOWN, SettleSql::markUnknown);
    records = Reading.records(context, reads, settings);
    standing = Reading.standing(context, reads, settings);
    claiming = new Claims(context, claims, withdrawals, settings, nanos);
  }

  /**
   * A store on the calling context's event loop (a loop of its own where there is none), which
   * begins to connect at once and does not wait for it.
   *
   * @param options where Postgres is; the schema must be migrated ({@link SchemaMigrator})
   * @param nanos a monotonic clock
   */
  public static PgRecordStore open(
      Vertx vertx, PgConnectOptions options, PgStoreSettings settings, LongSupplier nanos) {
    ContextInternal context = (ContextInternal) vertx.getOrCreateContext();
    PgRecordStore store =
        new PgRecordStore(
            context.unwrap(), Wire.prepared(options, "oncegate", settings, PLANS), settings, nanos);
    store.loop.run(
        () -> {
          store.lanes().forEach(Lane::open);
          return Future.succeededFuture();
        });
    return store;
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    return loop.run(() -> claiming.claim(claim, deadline()));
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return settle(
        completions,
        SettleRow.complete(id, token, answer),
        (record, now) -> RecordRules.complete(record, token, answer, now));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return settle(
        releases,
        SettleRow.release(id, token),
        (record, now) -> RecordRules.release(record, token));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return settle(
        unknowns,
        SettleRow.markUnknown(id, token, reason),
        (record, now) -> RecordRules.markUnknown(record, token, now));
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    loop.run(
        () -> {
          notes.add(id, tenant, token, note);
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    if (renewals.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return loop.run(
        () ->
            askReads(ReadSql.RENEW, ReadSql.renew(renewals))
                .map(
                    reply -> {
                      Map<ClaimRef, Instant> renewed = renewed(reply);
                      return renewals.stream()
                          .map(r -> outcome(renewed.get(new ClaimRef(r.id(), r.token()))))
                          .toList();
                    }));
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return loop.run(() -> lookUp(records, id));
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return loop.run(() -> lookUp(standing, new ClaimRef(id, token)));
  }

  /** Succeeds where Postgres answers and takes writes; fails with {@link StoreUnavailable}. */
  public Future<Void> ping() {
    return loop.run(
        () ->
            askReads(ReadSql.PING, Tuple.tuple())
                .compose(
                    reply -> {
                      Row row = reply.row();
                      return row != null && Boolean.FALSE.equals(row.getBoolean("refused"))
                          ? Future.succeededFuture()
                          : Future.failedFuture(new StoreUnavailable("Postgres is read-only"));
                    }));
  }

  /** How many statements the claims and settles lanes have sent. */
  long statements() {
    return claims.statements() + settles.statements();
  }

  /** How many statements the reads lane has sent. */
  long lookUps() {
    return reads.statements();
  }

  /** Closes the connections; statements that still run are lost to their callers. */
  public Future<Void> close() {
    return loop.run(
        () -> {
          withdrawals.close();
          return Future.join(lanes().stream().map(Lane::close).toList())
              .onComplete(closed -> wire.close())
              .mapEmpty();
        });
  }

  private Future<SettleOutcome> settle(
      BatchLane<SettleRow> batches, SettleRow row, SettleAsk.Rule rule) {
    return loop.run(() -> new SettleAsk(batches, deadline(), nanos).outcome(row, rule));
  }

  private BatchLane<SettleRow> settling(String sql, Function<List<SettleRow>, Tuple> parameters) {
    return new BatchLane<>(context, settles, new SettleRow.Shape(sql, parameters), settings);
  }

  private Future<Reply> askReads(String sql, Tuple parameters) {
    long deadline = deadline();
    return Asking.until(deadline, nanos, () -> reads.ask(sql, parameters, deadline));
  }

  private <K, T> Future<T> lookUp(LookUps<K, T> from, K key) {
    long deadline = deadline();
    return Asking.until(deadline, nanos, () -> from.ask(key, deadline));
  }

  private static Map<ClaimRef, Instant> renewed(Reply reply) {
    Map<ClaimRef, Instant> renewed = new HashMap<>();
    for (Row row : reply.rows()) {
      renewed.put(ReadSql.claim(row), RecordRows.time(row, "lease_until"));
    }
    return renewed;
  }

  private static RenewOutcome outcome(@Nullable Instant leaseUntil) {
    return leaseUntil == null ? new RenewOutcome.Fenced() : new RenewOutcome.Renewed(leaseUntil);
  }

  private Lane lane(String name, int size) {
    return new Lane(context, name, size, wire, settings, nanos);
  }

  private List<Lane> lanes() {
    return List.of(claims, settles, reads);
  }

  private long deadline() {
    return nanos.getAsLong() + settings.patience().toNanos();
  }
}

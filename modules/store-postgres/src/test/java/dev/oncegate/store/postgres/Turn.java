package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.testkit.Records;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store and its event loop, to ask many things within one turn. */
final class Turn {
  final PgRecordStore store;
  private final Context context;

  private Turn(PgRecordStore store, Context context) {
    this.store = store;
    this.context = context;
  }

  /** Opens a store on a loop of its own and waits until it answers. */
  static Turn open(PgFixture fixture, Supplier<PgRecordStore> opening) {
    Context context = ((VertxInternal) fixture.vertx).createEventLoopContext();
    Promise<PgRecordStore> opened = Promise.promise();
    context.runOnContext(go -> opened.complete(opening.get()));
    Turn turn = new Turn(get(opened.future()), context);
    get(turn.store.claim(Records.claim(Records.anyId())));
    return turn;
  }

  /** Asks for each of those within one turn. */
  <T, R> List<Future<R>> ask(List<T> of, Function<T, Future<R>> question) {
    Promise<List<Future<R>>> asked = Promise.promise();
    context.runOnContext(
        go -> {
          List<Future<R>> futures = new ArrayList<>();
          for (T each : of) {
            futures.add(question.apply(each));
          }
          asked.complete(futures);
        });
    return get(asked.future());
  }

  List<Future<ClaimOutcome>> claim(List<Claim> claims) {
    return ask(claims, store::claim);
  }

  /** New claims of keys that nobody else has. */
  static List<Claim> claims(int count) {
    return Stream.generate(() -> Records.claim(Records.anyId())).limit(count).toList();
  }

  /** All won, in order. */
  static List<Won> won(List<Future<ClaimOutcome>> asked) {
    return asked.stream().map(one -> (Won) get(one)).toList();
  }
}

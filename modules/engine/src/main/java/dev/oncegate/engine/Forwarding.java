package dev.oncegate.engine;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import java.util.Optional;

/** The one send of a claim: not before the claim is durable, and not after its lease (S8, S9). */
final class Forwarding {
  private final IdempotencyEngine.Parts parts;
  private final Admission admission;
  private final ClaimOutcome.Won won;
  private final Optional<String> upstreamKey;
  private final LeaseKeeper.Held lease;
  private Future<Void> passed = Future.succeededFuture();

  Forwarding(
      IdempotencyEngine.Parts parts,
      Admission admission,
      ClaimOutcome.Won won,
      Optional<String> upstreamKey,
      LeaseKeeper.Held lease) {
    this.parts = parts;
    this.admission = admission;
    this.won = won;
    this.upstreamKey = upstreamKey;
    this.lease = lease;
  }

  /**
   * How far the request got; never fails.
   *
   * @param late the client has waited long enough; the exchange goes on
   */
  Future<UpstreamResult> run(Runnable late) {
    Time.Timer total = parts.time().after(admission.tenant().upstream().timeouts().total(), late);
    return parts
        .failpoints()
        .then(Point.CLAIM_AFTER, Point.FORWARD_BEFORE, Future::<Void>succeededFuture)
        .transform(
            ready ->
                ready.succeeded()
                    ? send(late)
                    // Nothing has left yet, so this much is certain.
                    : Future.succeededFuture(
                        new UpstreamResult.NotSent("internal error", ready.cause())))
        .onComplete(ignored -> total.cancel());
  }

  private Future<UpstreamResult> send(Runnable late) {
    return Future.succeededFuture()
        // Inside the chain, so that an adapter that throws ends in its handler as well.
        .compose(
            go ->
                parts
                    .upstream()
                    .send(
                        admission.tenant(),
                        parts.upstreamKeys().dress(admission, upstreamKey, won.token()),
                        admission.route().protocol().capture(),
                        progress(late)))
        .compose(result -> passed.map(result))
        .otherwise(
            failure -> {
              parts.events().broken(admission.tenant().id(), admission.route().id(), failure);
              return new UpstreamResult.Broken("internal error", false);
            });
  }

  private Upstream.Progress progress(Runnable late) {
    return new Upstream.Progress() {
      @Override
      public boolean maySend() {
        return lease.maySend();
      }

      @Override
      public void sent() {
        passed = parts.failpoints().pass(Point.FORWARD_AFTER);
      }

      @Override
      public void late() {
        late.run();
      }
    };
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.ProbeTemplate;
import dev.oncegate.core.ProbeVerdicts;
import dev.oncegate.core.Reconciliation.Probe;
import dev.oncegate.core.Reconciliation.ProbeHeader;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.Prober;
import dev.oncegate.engine.port.Prober.Question;
import dev.oncegate.engine.port.Prober.Reply;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.engine.port.Secrets;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks by the route's probe: its template filled in with what the claim kept, its headers with the
 * secrets behind them. Whatever is missing or in doubt leaves the outcome undecided, with a reason
 * that holds neither content nor credential.
 */
public final class ProbeInterview implements Interview {
  /** A verdict is read on the event loop. */
  private static final long MOST_BODY = 256 * 1024;

  private final Prober prober;
  private final Secrets secrets;
  private final InputsCipher inputs;
  private final AnswerCipher cipher;
  private final Failpoints failpoints;

  public ProbeInterview(
      Prober prober, Secrets secrets, KeyRing keys, Time time, Failpoints failpoints) {
    this.prober = prober;
    this.secrets = secrets;
    this.inputs = new InputsCipher(keys, time);
    this.cipher = new AnswerCipher(keys, time);
    this.failpoints = failpoints;
  }

  @Override
  public Future<Finding> ask(Due due, RoutePolicy.Protocol protocol, TenantPolicy tenant) {
    Probe probe = protocol.reconciliation().probe().orElseThrow();
    Optional<Map<String, String>> values = inputs.open(due.record().facts()).map(this::values);
    if (values.isEmpty()) {
      return undecided("what the claim kept cannot be read");
    }
    Optional<String> target = ProbeTemplate.target(probe.path(), values.get());
    if (target.isEmpty()) {
      return undecided("the question cannot be filled in");
    }
    return headers(probe, values.get())
        .transform(
            headers ->
                headers.failed()
                    ? undecided("a header of the question cannot be made")
                    : prober
                        .ask(
                            tenant,
                            new Question(probe.method(), target.get(), headers.result(), MOST_BODY))
                        .compose(
                            reply ->
                                failpoints.then(
                                    Point.PROBE_AFTER,
                                    () -> Future.succeededFuture(finding(due, protocol, reply)))));
  }

  private Map<String, String> values(ClaimInputs kept) {
    Map<String, String> values = new HashMap<>(kept.path());
    kept.upstreamKey().ifPresent(key -> values.put(ProbeTemplate.UPSTREAM_KEY, key));
    return values;
  }

  private Future<List<HeaderField>> headers(Probe probe, Map<String, String> values) {
    List<Future<HeaderField>> each = new ArrayList<>();
    for (ProbeHeader header : probe.headers()) {
      Future<String> value =
          header.reference()
              ? secrets.value(header.value())
              : ProbeTemplate.header(header.value(), values)
                  .map(Future::succeededFuture)
                  .orElseGet(() -> Future.failedFuture("a placeholder has no value"));
      each.add(value.map(v -> new HeaderField(header.name(), v)));
    }
    return Future.all(each).map(all -> each.stream().map(Future::result).toList());
  }

  private Finding finding(Due due, RoutePolicy.Protocol protocol, Reply reply) {
    if (reply instanceof Reply.None none) {
      return new Finding.Undecided(false, none.reason());
    } else if (!(reply instanceof Reply.Answered answered)) {
      throw new BrokenInvariant("no such reply: " + reply.getClass());
    } else {
      Optional<HeaderField> type =
          answered.headers().stream().filter(h -> h.is("Content-Type")).findFirst();
      Probe probe = protocol.reconciliation().probe().orElseThrow();
      boolean json = type.map(h -> ProbeVerdicts.isJson(h.value())).orElse(false);
      ProbeVerdicts.Result result =
          ProbeVerdicts.of(probe, answered.status(), answered.body(), json);
      if (result instanceof ProbeVerdicts.Applied applied) {
        return applied(due, protocol, type.stream().toList(), applied.replayBody());
      } else if (result instanceof ProbeVerdicts.NotApplied) {
        return new Finding.NotApplied();
      } else if (result instanceof ProbeVerdicts.Undecided undecided) {
        return new Finding.Undecided(true, undecided.reason());
      }
      throw new BrokenInvariant("no such verdict: " + result.getClass());
    }
  }

  /** Of the probe's headers only the type describes the body that is replayed. */
  private Finding applied(
      Due due, RoutePolicy.Protocol protocol, List<HeaderField> type, Bytes body) {
    int status = protocol.reconciliation().probe().orElseThrow().applied().replayAs();
    StoredResponse response = new StoredResponse(status, type, Optional.of(body));
    return cipher
        .seal(due.record().facts(), protocol, response)
        .<Finding>map(Finding.Applied::new)
        .orElseGet(() -> new Finding.Undecided(true, "the secret of the record is not known"));
  }

  private static Future<Finding> undecided(String why) {
    return Future.succeededFuture(new Finding.Undecided(false, why));
  }
}

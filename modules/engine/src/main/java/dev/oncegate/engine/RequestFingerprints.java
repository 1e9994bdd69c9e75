package dev.oncegate.engine;

import dev.oncegate.core.Claim;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes a request's fingerprint as new records get it, and compares it with what is there: under
 * the record's own policy, form and secret (contract §7), so that a change of any of them turns no
 * retry into a 422. Shared by all event loops.
 */
public final class RequestFingerprints {
  private final Fingerprints forms;
  private final KeyRing keys;
  private final PolicyVersions policies;

  public RequestFingerprints(Fingerprints forms, KeyRing keys, PolicyVersions policies) {
    this.forms = forms;
    this.keys = keys;
    this.policies = policies;
  }

  /** The fingerprint under the tenant's current key. */
  public Fingerprints.Taken take(String tenant, FingerprintPolicy policy, FingerprintInput input) {
    return forms.take(keys.keys(tenant).fingerprint().array(), policy, input);
  }

  /** Where a projection is made that would hold up the loop. */
  @FunctionalInterface
  public interface Bench {
    /** Runs a pure function elsewhere; the future completes on the calling context. */
    Future<Fingerprints.Taken> take(Callable<Fingerprints.Taken> projection);
  }

  /**
   * A request as it was taken.
   *
   * @param protocol the route's current one
   * @param taken the request's fingerprint under it
   * @param bench empty where the body is small enough to be projected on the loop
   */
  public record Request(
      String tenant,
      RoutePolicy.Protocol protocol,
      FingerprintInput input,
      Fingerprints.Taken taken,
      Optional<Bench> bench) {}

  /** All that a fingerprint depends on besides the request. */
  private record Basis(String secretId, String policy, int form) {}

  /**
   * Compares a request with records.
   *
   * @return a matcher that throws {@link NotAtHand} where it cannot tell yet, or {@link
   *     RecordStore.RecordDamaged} where it never will
   */
  public Claim.FingerprintMatcher matcher(Request request) {
    Map<Basis, Fingerprints.Taken> others = new ConcurrentHashMap<>();
    return facts -> {
      int form = facts.fingerprint().version();
      if (facts.secretId().equals(keys.currentId())
          && facts.policy().equals(request.protocol().version())
          && form == forms.current()) {
        return facts.fingerprint().equals(request.taken().fingerprint());
      }
      Basis basis = new Basis(facts.secretId(), facts.policy(), form);
      Fingerprints.Taken known = others.get(basis);
      if (known == null) {
        Supplier<Fingerprints.Taken> again = again(request, basis);
        if (request.bench().isPresent()) {
          throw later(request.bench().get(), again, taken -> others.put(basis, taken));
        }
        known = again.get();
      }
      return facts.fingerprint().equals(known.fingerprint());
    };
  }

  private static NotAtHand later(
      Bench bench, Supplier<Fingerprints.Taken> again, Consumer<Fingerprints.Taken> keep) {
    return new NotAtHand(
        "a large body is not projected on the loop",
        () -> bench.take(again::get).onSuccess(keep::accept).mapEmpty());
  }

  /**
   * As the record's own request was taken. What is needed for that may be gone, and then the record
   * can be called neither the same nor another request: 422 would be a lie and a replay a leak, so
   * it cannot be read.
   */
  private Supplier<Fingerprints.Taken> again(Request request, Basis basis) {
    KeyRing.TenantKeys theirs = keys.keys(request.tenant(), basis.secretId());
    if (theirs == null) {
      throw new RecordStore.RecordDamaged("the record's secret is not known any more");
    }
    byte[] key = theirs.fingerprint().array();
    RoutePolicy.Protocol now = request.protocol();
    RoutePolicy.Protocol policy =
        basis.policy().equals(now.version()) ? now : policies.of(basis.policy());
    return () ->
        forms
            .take(basis.form(), key, policy.fingerprint(), request.input())
            .orElseThrow(
                () ->
                    new RecordStore.RecordDamaged(
                        "fingerprints of form " + basis.form() + " are unknown"));
  }
}

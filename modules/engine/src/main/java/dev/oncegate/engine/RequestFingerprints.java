package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.RecordStore;

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

  /**
   * Compares a request with records.
   *
   * @param protocol the route's current one
   * @param taken the request's fingerprint under it
   * @return a matcher that throws {@link PolicyVersions.NotAtHand} or {@link
   *     RecordStore.RecordDamaged} where it cannot tell
   */
  public Claim.FingerprintMatcher matcher(
      String tenant,
      RoutePolicy.Protocol protocol,
      FingerprintInput input,
      Fingerprints.Taken taken) {
    return facts -> {
      boolean asOfNow =
          facts.secretId().equals(keys.currentId())
              && facts.policy().equals(protocol.version())
              && facts.fingerprint().version() == forms.current();
      return facts
          .fingerprint()
          .equals(
              asOfNow ? taken.fingerprint() : again(tenant, protocol, facts, input).fingerprint());
    };
  }

  /**
   * As the record's own request was taken. What is needed for that may be gone, and then the record
   * can be called neither the same nor another request: 422 would be a lie and a replay a leak, so
   * it cannot be read.
   */
  private Fingerprints.Taken again(
      String tenant, RoutePolicy.Protocol now, ClaimFacts facts, FingerprintInput input) {
    KeyRing.TenantKeys theirs = keys.keys(tenant, facts.secretId());
    if (theirs == null) {
      throw new RecordStore.RecordDamaged("the record's secret is not known any more");
    }
    Bytes key = theirs.fingerprint();
    RoutePolicy.Protocol policy =
        facts.policy().equals(now.version()) ? now : policies.of(facts.policy());
    int form = facts.fingerprint().version();
    return forms
        .take(form, key.array(), policy.fingerprint(), input)
        .orElseThrow(
            () -> new RecordStore.RecordDamaged("fingerprints of form " + form + " are unknown"));
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.Reconciliation.UpstreamKey;
import dev.oncegate.core.RoutePolicy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The key under which an upstream sees a request (contract §6): the same for every send of one
 * record, so that an upstream that honours it executes once, whatever is sent again.
 */
public final class UpstreamKeys {
  private final KeyRing keys;
  private final Function<String, Optional<Bytes>> secrets;

  /**
   * Upstream keys.
   *
   * @param secrets bytes of a derivation secret by its reference
   */
  public UpstreamKeys(KeyRing keys, Function<String, Optional<Bytes>> secrets) {
    this.keys = keys;
    this.secrets = secrets;
  }

  /** The key for this request; empty where its route has none. */
  Optional<String> value(Admission admission) {
    return policy(admission)
        .map(
            policy ->
                switch (policy.value()) {
                  case CLIENT -> clientKey(admission);
                  case DERIVED -> derived(admission, policy);
                });
  }

  /** The request as it goes out, with its key and its token where the route says so. */
  UpstreamRequest dress(Admission admission, Optional<String> value, FencingToken token) {
    UpstreamRequest request = admission.request();
    Optional<UpstreamKey> policy = policy(admission);
    if (policy.isEmpty() || value.isEmpty()) {
      return request;
    }
    List<HeaderField> headers = new ArrayList<>(request.headers());
    set(headers, policy.get().header(), value.get());
    policy.get().tokenHeader().ifPresent(name -> set(headers, name, Long.toString(token.value())));
    return new UpstreamRequest(request.method(), request.target(), headers, request.body());
  }

  private static Optional<UpstreamKey> policy(Admission admission) {
    return admission.route().protocol().reconciliation().upstreamKey();
  }

  /** As it came, quotes included; an upstream may be strict. */
  private static String clientKey(Admission admission) {
    RoutePolicy.KeyPolicy key = admission.route().protocol().key();
    return admission.request().headers().stream()
        .filter(h -> h.is(key.header()))
        .map(HeaderField::value)
        .findFirst()
        .orElse(admission.key().value());
  }

  private String derived(Admission admission, UpstreamKey policy) {
    Bytes secret =
        policy
            .secret()
            .map(
                reference ->
                    secrets
                        .apply(reference)
                        .orElseThrow(
                            () -> new IllegalStateException("no secret at hand for " + reference)))
            .orElseGet(() -> keys.keys(admission.tenant().id()).upstream());
    return HexFormat.of().formatHex(Hkdf.hmac(secret.array(), admission.id().digest().array()));
  }

  /** In the place of the first line of that name; the client's own have no say. */
  private static void set(List<HeaderField> headers, String name, String value) {
    int at = 0;
    while (at < headers.size() && !headers.get(at).is(name)) {
      at++;
    }
    headers.removeIf(h -> h.is(name));
    headers.add(Math.min(at, headers.size()), new HeaderField(name, value));
  }
}

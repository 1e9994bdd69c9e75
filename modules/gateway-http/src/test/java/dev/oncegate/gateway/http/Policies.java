package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.core.PathTemplate;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Policies as the cases have them unless they say otherwise. */
final class Policies {
  static final RoutePolicy.Protocol PROTOCOL =
      new RoutePolicy.Protocol(
          "v1",
          RoutePolicy.KeyPolicy.BUILT_IN,
          FingerprintPolicy.BUILT_IN,
          OutcomePolicy.BUILT_IN,
          RoutePolicy.LeasePolicy.BUILT_IN,
          1024 * 1024,
          RoutePolicy.Capture.BUILT_IN,
          List.of(),
          true,
          new Retention(Duration.ofHours(24), Duration.ofHours(24)),
          Reconciliation.hold(Duration.ofSeconds(60)));

  /** Longer than anything takes here, however slow the machine is: for all but waiting. */
  static final TenantPolicy.Timeouts TIMEOUTS = timeouts(Duration.ofSeconds(31));

  /** For tests that wait until there is no connection; all else is as in {@link #TIMEOUTS}. */
  static final TenantPolicy.Timeouts SOON_WITHOUT_CONNECTION =
      new TenantPolicy.Timeouts(
          Duration.ofMillis(500), Duration.ofMillis(300), TIMEOUTS.total(), TIMEOUTS.abandon());

  /** Who waits here gets its answer: on a slow machine too. */
  private static final RoutePolicy.Park PATIENT =
      new RoutePolicy.Park(Duration.ofSeconds(60), 100, 2_000);

  private Policies() {}

  static TenantPolicy.Timeouts timeouts(Duration total) {
    return new TenantPolicy.Timeouts(
        Duration.ofSeconds(30), Duration.ofSeconds(30), total, Duration.ofSeconds(62));
  }

  static RoutePolicy keyed(String id, String path) {
    return keyed(id, path, PROTOCOL);
  }

  static RoutePolicy keyed(String id, String path, RoutePolicy.Protocol protocol) {
    return new RoutePolicy(
        id,
        RoutePolicy.Mode.IDEMPOTENCY_KEY,
        Set.of("POST"),
        PathTemplate.parse(path),
        protocol,
        PATIENT);
  }

  static RoutePolicy passthrough(String id, String path) {
    return new RoutePolicy(
        id, RoutePolicy.Mode.PASSTHROUGH, Set.of(), PathTemplate.parse(path), PROTOCOL);
  }

  static RoutePolicy.Protocol maxRequest(long bytes) {
    return new RoutePolicy.Protocol(
        PROTOCOL.version(),
        PROTOCOL.key(),
        PROTOCOL.fingerprint(),
        PROTOCOL.outcome(),
        PROTOCOL.lease(),
        bytes,
        PROTOCOL.capture(),
        PROTOCOL.neverStore(),
        PROTOCOL.encrypt(),
        PROTOCOL.retention(),
        PROTOCOL.reconciliation());
  }

  static RoutePolicy.Protocol key(RoutePolicy.KeyPolicy key) {
    return protocol(key, OutcomePolicy.BUILT_IN, RoutePolicy.Capture.BUILT_IN, List.of());
  }

  static RoutePolicy.Protocol neverStore(String... names) {
    return protocol(
        RoutePolicy.KeyPolicy.BUILT_IN,
        OutcomePolicy.BUILT_IN,
        RoutePolicy.Capture.BUILT_IN,
        List.of(names));
  }

  static RoutePolicy.Protocol outcome(OutcomePolicy outcome) {
    return protocol(
        RoutePolicy.KeyPolicy.BUILT_IN, outcome, RoutePolicy.Capture.BUILT_IN, List.of());
  }

  static RoutePolicy.Protocol capture(long max) {
    return protocol(
        RoutePolicy.KeyPolicy.BUILT_IN,
        OutcomePolicy.BUILT_IN,
        new RoutePolicy.Capture(RoutePolicy.Capture.BUILT_IN.inline(), max),
        List.of());
  }

  private static RoutePolicy.Protocol protocol(
      RoutePolicy.KeyPolicy key,
      OutcomePolicy outcome,
      RoutePolicy.Capture capture,
      List<String> neverStore) {
    return new RoutePolicy.Protocol(
        PROTOCOL.version(),
        key,
        PROTOCOL.fingerprint(),
        outcome,
        PROTOCOL.lease(),
        PROTOCOL.maxRequest(),
        capture,
        neverStore,
        PROTOCOL.encrypt(),
        PROTOCOL.retention(),
        PROTOCOL.reconciliation());
  }

  static TenantPolicy.Match host(String host) {
    return new TenantPolicy.Match(Optional.of(host), Optional.empty(), false, Optional.empty());
  }

  static TenantPolicy.Match prefix(String prefix) {
    return new TenantPolicy.Match(Optional.empty(), Optional.of(prefix), true, Optional.empty());
  }

  static TenantPolicy.Match withKeys(TenantPolicy.Match match, Map<String, List<String>> keys) {
    return new TenantPolicy.Match(
        match.host(), match.pathPrefix(), match.stripPrefix(), Optional.of(apiKeys(keys)));
  }

  static TenantPolicy.Match anywhereWithKeys(Map<String, List<String>> keys) {
    return new TenantPolicy.Match(
        Optional.empty(), Optional.empty(), false, Optional.of(apiKeys(keys)));
  }

  /** API keys by the id of their holder, in clear text here. */
  static TenantPolicy.ApiKeys apiKeys(Map<String, List<String>> keys) {
    Map<String, List<Bytes>> digests = new java.util.HashMap<>();
    keys.forEach((id, values) -> digests.put(id, values.stream().map(Policies::sha256).toList()));
    return new TenantPolicy.ApiKeys("X-Api-Key", digests);
  }

  private static Bytes sha256(String value) {
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(value.getBytes("US-ASCII")));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static TenantPolicy.Upstream upstream(int port, TenantPolicy.Timeouts timeouts) {
    return upstream(port, timeouts, TenantPolicy.Pool.BUILT_IN);
  }

  static TenantPolicy.Upstream upstream(
      int port, TenantPolicy.Timeouts timeouts, TenantPolicy.Pool pool) {
    return new TenantPolicy.Upstream(false, "127.0.0.1", port, "", timeouts, pool);
  }

  /** The tenant of most cases, found by any loopback host, with one key space. */
  static TenantPolicy tenant(String id, TenantPolicy.Upstream upstream, RoutePolicy... routes) {
    return new TenantPolicy(
        id,
        List.of(host("127.0.0.1"), host("localhost")),
        TenantPolicy.Principal.SHARED,
        upstream,
        TenantPolicy.Unmatched.SAFE,
        List.of(routes));
  }
}

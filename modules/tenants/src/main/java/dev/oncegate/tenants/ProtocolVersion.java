package dev.oncegate.tenants;

import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RoutePolicy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names a protocol by its content, so that a record can say which one it was claimed under. Two
 * files that mean the same, in whatever order and words, have one version.
 */
final class ProtocolVersion {
  /** Of the rendering below; a change there renames every protocol. */
  private static final String RENDERING = "2";

  private ProtocolVersion() {}

  /** 32 hex digits of SHA-256 over all of the protocol but the version itself. */
  static String of(RoutePolicy.Protocol protocol) {
    Map<String, String> lines = new TreeMap<>();
    lines.put("rendering", RENDERING);
    lines.put("key.header", protocol.key().header().toLowerCase(Locale.ROOT));
    lines.put("key.required", String.valueOf(protocol.key().required()));
    lines.put("key.syntax", protocol.key().syntax().name());
    lines.put("key.maxLength", String.valueOf(protocol.key().maxLength()));
    fingerprint(protocol.fingerprint(), lines);
    protocol
        .outcome()
        .exact()
        .forEach((code, outcome) -> lines.put("outcome." + code, outcome.name()));
    protocol
        .outcome()
        .byClass()
        .forEach((digit, outcome) -> lines.put("outcome." + digit + "xx", outcome.name()));
    lines.put("lease.ttl", protocol.lease().ttl().toString());
    lines.put("lease.renewEvery", protocol.lease().renewEvery().toString());
    lines.put("body.maxRequest", String.valueOf(protocol.maxRequest()));
    lines.put("capture.inline", String.valueOf(protocol.capture().inline()));
    lines.put("capture.max", String.valueOf(protocol.capture().max()));
    lines.put("headers.neverStore", list(lower(protocol.neverStore())));
    lines.put("privacy.encrypt", String.valueOf(protocol.encrypt()));
    lines.put("retention", protocol.retention().retention().toString());
    lines.put("retention.tombstone", protocol.retention().tombstone().toString());
    reconciliation(protocol.reconciliation(), lines);
    return digest(lines);
  }

  private static void fingerprint(FingerprintPolicy policy, Map<String, String> lines) {
    String body;
    if (policy.body() instanceof FingerprintPolicy.BodySelection.Include include) {
      body = "include " + list(include.pointers());
    } else if (policy.body() instanceof FingerprintPolicy.BodySelection.Exclude exclude) {
      body = "exclude " + list(exclude.pointers());
    } else {
      body = policy.body().getClass().getSimpleName();
    }
    String query =
        policy.query() instanceof FingerprintPolicy.QuerySelection.Names names
            ? "names " + list(names.names())
            : policy.query().getClass().getSimpleName();
    lines.put("fingerprint.body", body);
    lines.put("fingerprint.query", query);
    lines.put("fingerprint.headers", list(lower(policy.headers())));
    lines.put("fingerprint.numbers", policy.numbers().name());
    lines.put("fingerprint.strings", policy.strings().name());
    policy
        .letterCase()
        .forEach((pointer, to) -> lines.put("fingerprint.case." + pointer, to.name()));
  }

  private static void reconciliation(Reconciliation policy, Map<String, String> lines) {
    lines.put("outcome.onAmbiguous", policy.onAmbiguous().name());
    lines.put("probe.quarantine", policy.quarantine().toString());
    policy
        .upstreamKey()
        .ifPresent(
            key -> {
              lines.put("upstreamKey.header", key.header().toLowerCase(Locale.ROOT));
              lines.put("upstreamKey.value", key.value().name());
              key.secret().ifPresent(secret -> lines.put("upstreamKey.secret", secret));
              key.tokenHeader()
                  .ifPresent(
                      header ->
                          lines.put("upstreamKey.tokenHeader", header.toLowerCase(Locale.ROOT)));
            });
    policy.probe().ifPresent(probe -> probe(probe, lines));
  }

  private static void probe(Reconciliation.Probe probe, Map<String, String> lines) {
    lines.put("probe.method", probe.method());
    lines.put("probe.path", probe.path());
    lines.put(
        "probe.headers",
        list(
            probe.headers().stream()
                .map(
                    header ->
                        header.name().toLowerCase(Locale.ROOT)
                            + (header.reference() ? " by reference " : ": ")
                            + header.value())
                .toList()));
    lines.put("probe.applied.status", list(probe.applied().statuses()));
    probe.applied().pointer().ifPresent(p -> lines.put("probe.applied.pointer", p.toString()));
    lines.put("probe.applied.replayAs", String.valueOf(probe.applied().replayAs()));
    probe
        .applied()
        .replayBody()
        .ifPresent(part -> lines.put("probe.applied.replayBody", part.toString()));
    lines.put("probe.notApplied.status", list(probe.notApplied().statuses()));
    probe
        .notApplied()
        .emptyArray()
        .ifPresent(array -> lines.put("probe.notApplied.emptyArray", array.toString()));
    lines.put("probe.every", probe.every().toString());
    lines.put("probe.giveUpAfter", probe.giveUpAfter().toString());
    lines.put("probe.keepRequest", String.valueOf(probe.keepRequest()));
  }

  private static Collection<String> lower(Collection<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  /** Sorted, each item with its length before it, so that no two lists have one text. */
  private static String list(Collection<?> items) {
    StringBuilder out = new StringBuilder();
    items.stream()
        .map(String::valueOf)
        .sorted()
        .forEach(item -> out.append(item.length()).append(':').append(item));
    return out.toString();
  }

  private static String digest(Map<String, String> lines) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      lines.forEach(
          (name, value) ->
              sha256.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(sha256.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

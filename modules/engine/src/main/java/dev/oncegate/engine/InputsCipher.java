package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.engine.port.Time;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Seals what a claim keeps for whoever will have to ask: it may hold the client's key. */
final class InputsCipher {
  private static final String PART = "inputs";

  /** Never kept, not even sealed: whoever asks brings credentials of their own. */
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "proxy-authorization", "cookie");

  private final KeyRing keys;
  private final Sealing sealing;

  InputsCipher(KeyRing keys, Time time) {
    this.keys = keys;
    this.sealing = new Sealing(time);
  }

  /**
   * The inputs of a claim.
   *
   * @param upstreamKey the key that the upstream will see, where the route has one
   */
  Bytes seal(Admission admission, Optional<String> upstreamKey) {
    boolean keep =
        admission
            .route()
            .protocol()
            .reconciliation()
            .probe()
            .map(Reconciliation.Probe::keepRequest)
            .orElse(false);
    ClaimInputs inputs =
        new ClaimInputs(
            admission.request().method(),
            admission.request().target(),
            upstreamKey,
            admission.pathParameters(),
            keep ? Optional.of(kept(admission)) : Optional.empty());
    return sealing.seal(keys.keys(admission.tenant().id()), admission.id(), PART, inputs.encode());
  }

  /** The inputs of a record; empty where they cannot be opened. */
  Optional<ClaimInputs> open(ClaimFacts facts) {
    return Optional.ofNullable(keys.keys(facts.tenant(), facts.secretId()))
        .flatMap(its -> Optional.ofNullable(Sealing.open(its, facts.id(), PART, facts.inputs())))
        .flatMap(ClaimInputs::decode);
  }

  private static ClaimInputs.KeptRequest kept(Admission admission) {
    Set<String> credentials = new HashSet<>(CREDENTIALS);
    admission
        .tenant()
        .matches()
        .forEach(
            match ->
                match
                    .apiKey()
                    .ifPresent(key -> credentials.add(key.header().toLowerCase(Locale.ROOT))));
    List<HeaderField> headers =
        admission.request().headers().stream()
            .filter(h -> !credentials.contains(h.name().toLowerCase(Locale.ROOT)))
            .toList();
    return new ClaimInputs.KeptRequest(headers, admission.request().body());
  }
}

package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Hkdf;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.UpstreamRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request of one client, and all that the world knows of it. */
final class Attempt {
  /** Goes upstream and is no part of the fingerprint: the ledger says which attempt executed. */
  static final String HEADER = "X-Attempt";

  /** No token. */
  static final long NONE = 0;

  final int id;
  final Plan.Operation operation;
  final String payload;

  /** The token that its engine holds; {@link #NONE} before it was told. */
  long held = NONE;

  /** True time at which it was found that it may send; -1 before. */
  long checkedAt = -1;

  int sends;

  /** Whether its request may still arrive. */
  boolean onItsWay;

  /** What the upstream did with it. */
  Ledger.@Nullable Line line;

  /** Its client was told that it was not executed. */
  boolean denied;

  boolean answered;

  Attempt(int id, Plan.Operation operation, String payload) {
    this.id = id;
    this.operation = operation;
    this.payload = payload;
  }

  /** Compares payloads, and tells the database's checker whose claim it is. */
  record Matcher(Attempt attempt, Fingerprint fingerprint) implements Claim.FingerprintMatcher {
    @Override
    public boolean matches(ClaimFacts facts) {
      return facts.fingerprint().equals(fingerprint);
    }
  }

  static Fingerprint fingerprint(String payload) {
    byte[] body = payload.getBytes(StandardCharsets.UTF_8);
    return new Fingerprint(1, Bytes.wrap(Hkdf.hmac(new byte[] {1}, body)));
  }

  Admission admission(Fingerprint fingerprint) {
    UpstreamRequest request =
        new UpstreamRequest(
            "POST",
            "/" + operation.route().id() + "/" + operation.key().value(),
            List.of(new HeaderField(HEADER, Integer.toString(id))),
            Bytes.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    return new Admission(
        operation.tenant(),
        operation.route(),
        operation.scope(),
        operation.key(),
        fingerprint,
        new Matcher(this, fingerprint),
        Plan.parameters(operation),
        request);
  }
}

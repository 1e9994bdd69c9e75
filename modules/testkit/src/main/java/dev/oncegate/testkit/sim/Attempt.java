package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Hkdf;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.UpstreamRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
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

  /** Set once it has reached an event loop. */
  @Nullable Wait wait;

  Attempt(int id, Plan.Operation operation, String payload) {
    this.id = id;
    this.operation = operation;
    this.payload = payload;
  }

  /** How long it would wait on its loop, and for which claim. */
  static final class Wait {
    final SimulatedLoop loop;
    final Patience patience;
    final long limit;

    /** One of them; empty before it has met a claim. */
    final Set<Long> tokens = new HashSet<>();

    /** By its process's running time; -1 before. */
    long parkedAt = -1;

    /** True time. */
    long parkedTrue;

    /** Its client has hung up. */
    boolean gone;

    Wait(SimulatedLoop loop, Patience patience) {
      this.loop = loop;
      this.patience = patience;
      this.limit = patience.limit().toNanos();
    }
  }

  /** Its loop has it. */
  Wait comesTo(SimulatedLoop loop, Patience patience) {
    Wait its = new Wait(loop, patience);
    wait = its;
    return its;
  }

  /** Its claim has shown a token. */
  void learned(long token) {
    if (wait != null) {
      wait.loop.learned(operation.id(), token);
    }
  }

  /** Its claim has met another one. */
  void met(long token) {
    if (wait != null) {
      wait.tokens.clear();
      wait.tokens.add(token);
    }
  }

  /** Its client leaves, which its process learns unless it has ended. */
  void hangUp() {
    if (wait != null && !answered) {
      wait.gone = true;
      wait.patience.leave();
    }
  }

  boolean beginsToWait() {
    return wait != null && wait.parkedAt < 0 && wait.patience.counted();
  }

  /** Whether it has ever waited. */
  boolean parked() {
    return wait != null && wait.parkedAt >= 0;
  }

  boolean isOf(Predicate<SimulatedLoop> loop) {
    return wait != null && loop.test(wait.loop);
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

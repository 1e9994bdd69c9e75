package dev.oncegate.core;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Every knob of one route after merging (contract §7).
 *
 * @param methods empty: any (passthrough only)
 * @param protocol the key protocol; ignored on passthrough routes
 * @param park how duplicates wait; no part of the protocol, since no record is judged by it
 */
public record RoutePolicy(
    String id, Mode mode, Set<String> methods, PathTemplate path, Protocol protocol, Park park) {

  public RoutePolicy {
    methods = Set.copyOf(methods);
  }

  /** A route whose duplicates wait as is built in. */
  public RoutePolicy(
      String id, Mode mode, Set<String> methods, PathTemplate path, Protocol protocol) {
    this(id, mode, methods, path, protocol, Park.BUILT_IN);
  }

  /**
   * How duplicates wait for the winner (contract §3).
   *
   * @param maxWait longest wait of one request; zero: nobody waits
   * @param maxWaitersPerKey of all nodes together, counted by the key's owner
   * @param maxWaitersPerTenant per node; the same on all routes of a tenant
   */
  public record Park(Duration maxWait, int maxWaitersPerKey, int maxWaitersPerTenant) {
    public static final Park BUILT_IN = new Park(Duration.ofSeconds(10), 100, 2000);
  }

  /** How a route is protected. */
  public enum Mode {
    IDEMPOTENCY_KEY,
    PASSTHROUGH
  }

  /**
   * The protocol of a keyed route.
   *
   * @param version hash of everything here; a record keeps the version it was claimed under
   * @param maxRequest bytes of a request body, raw and decoded; beyond it 413
   * @param neverStore response headers kept out of the store; a trailing {@code *} is a prefix
   */
  public record Protocol(
      String version,
      KeyPolicy key,
      FingerprintPolicy fingerprint,
      OutcomePolicy outcome,
      LeasePolicy lease,
      long maxRequest,
      Capture capture,
      List<String> neverStore,
      boolean encrypt,
      Retention retention,
      Reconciliation reconciliation) {
    public Protocol {
      neverStore = List.copyOf(neverStore);
    }
  }

  /**
   * The client's key.
   *
   * @param maxLength characters after unquoting
   */
  public record KeyPolicy(String header, boolean required, Syntax syntax, int maxLength) {
    public static final KeyPolicy BUILT_IN =
        new KeyPolicy("Idempotency-Key", true, Syntax.LENIENT, 255);

    /** lenient: RFC 8941 String or bare token; strict: the String only. */
    public enum Syntax {
      LENIENT,
      STRICT
    }
  }

  /** The winner's lease: {@code renewEvery} is at most a third of {@code ttl}. */
  public record LeasePolicy(Duration ttl, Duration renewEvery) {
    public static final LeasePolicy BUILT_IN =
        new LeasePolicy(Duration.ofSeconds(45), Duration.ofSeconds(15));
  }

  /** Bytes of an answer's body that are kept in the record, and by reference. */
  public record Capture(long inline, long max) {
    public static final Capture BUILT_IN = new Capture(8 * 1024, 1024 * 1024);
  }
}

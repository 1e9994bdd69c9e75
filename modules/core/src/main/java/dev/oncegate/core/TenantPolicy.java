package dev.oncegate.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One tenant after merging.
 *
 * @param matches any entry fits; within one entry every condition must hold
 */
public record TenantPolicy(
    String id,
    List<Match> matches,
    Principal principal,
    Upstream upstream,
    Unmatched unmatched,
    List<RoutePolicy> routes) {

  public TenantPolicy {
    matches = List.copyOf(matches);
    routes = List.copyOf(routes);
  }

  /**
   * One way into the tenant.
   *
   * @param host the authority without its port, lower case
   * @param pathPrefix whole segments
   * @param stripPrefix routes and upstream see the path without the prefix
   */
  public record Match(
      Optional<String> host,
      Optional<String> pathPrefix,
      boolean stripPrefix,
      Optional<ApiKeys> apiKey) {}

  /**
   * The API keys of a match entry.
   *
   * @param header where the key stands
   * @param digests SHA-256 digests by the id of their holder; two of them while a key rotates
   */
  public record ApiKeys(String header, Map<String, List<Bytes>> digests) {
    public ApiKeys {
      digests = Map.copyOf(digests);
    }
  }

  /** Who owns a key within the tenant. */
  public enum Principal {
    /** One key space for all callers. */
    SHARED,
    /** The id of the API key that matched. */
    API_KEY
  }

  /** What follows where no route matches. */
  public enum Unmatched {
    /** GET, HEAD and OPTIONS pass, anything else is 404. */
    SAFE,
    PASSTHROUGH,
    REFUSE
  }

  /**
   * Where the tenant's requests go.
   *
   * @param basePath prefix of every path, without a trailing slash; may be empty
   * @param tlsSettings what differs from the system's TLS; empty without {@code tls}
   * @param honoursKey the tenant's word that this API executes one upstream key once
   * @param probesPerSecond most questions about unknown outcomes, per node
   */
  public record Upstream(
      boolean tls,
      String host,
      int port,
      String basePath,
      Timeouts timeouts,
      Pool pool,
      Optional<TlsSettings> tlsSettings,
      boolean honoursKey,
      double probesPerSecond) {
    /** Gentle to an API that has just been in trouble. */
    public static final double PROBES_PER_SECOND = 10;

    /** The same at another port. */
    public Upstream at(int other) {
      return new Upstream(
          tls, host, other, basePath, timeouts, pool, tlsSettings, honoursKey, probesPerSecond);
    }

    /** An upstream that says nothing of keys and probes. */
    public Upstream(
        boolean tls,
        String host,
        int port,
        String basePath,
        Timeouts timeouts,
        Pool pool,
        Optional<TlsSettings> tlsSettings) {
      this(tls, host, port, basePath, timeouts, pool, tlsSettings, false, PROBES_PER_SECOND);
    }

    /** An upstream with the system's TLS, or none. */
    public Upstream(
        boolean tls, String host, int port, String basePath, Timeouts timeouts, Pool pool) {
      this(tls, host, port, basePath, timeouts, pool, Optional.empty());
    }
  }

  /**
   * How the upstream proves who it is, and how this gateway does.
   *
   * @param ca path of a PEM file with the certificates to trust; empty: the system's
   * @param client what the gateway shows of itself; empty: nothing
   * @param serverName SNI and the name to verify; empty: the upstream's host
   * @param verifyHost whether the server's certificate has to fit that name
   */
  public record TlsSettings(
      Optional<String> ca,
      Optional<ClientCertificate> client,
      Optional<String> serverName,
      boolean verifyHost) {}

  /**
   * A certificate with its key. Equal only with the same key, so that a key which has been renewed
   * makes another upstream of it.
   *
   * @param certificate path of a PEM file, the chain after it
   * @param key the private key itself, PEM; never printed
   */
  public record ClientCertificate(String certificate, String key) {
    @Override
    public String toString() {
      return "ClientCertificate[" + certificate + "]";
    }
  }

  /**
   * Limits of one exchange.
   *
   * @param connect TCP and TLS; passing it releases the key
   * @param poolWait for a free connection; passing it releases the key
   * @param firstByte from the last byte of the request to the first of the answer
   * @param total how long the client is kept waiting
   * @param abandon how long the exchange is kept open; then the record is unknown
   */
  public record Timeouts(
      Duration connect, Duration poolWait, Duration firstByte, Duration total, Duration abandon) {
    public static final Timeouts BUILT_IN =
        new Timeouts(
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    /** Time-outs where the first byte may come as late as the last one. */
    public Timeouts(Duration connect, Duration poolWait, Duration total, Duration abandon) {
      this(connect, poolWait, total, total, abandon);
    }
  }

  /**
   * Connections to the upstream, per node.
   *
   * @param maxWaitQueue requests that wait for a connection; beyond it the key is released
   * @param http2 whether HTTP/2 is offered by ALPN; never without TLS
   */
  public record Pool(int maxConnections, int maxWaitQueue, Duration idleTimeout, boolean http2) {
    public static final Pool BUILT_IN = new Pool(64, 256, Duration.ofSeconds(15));

    /** A pool of HTTP/1.1 connections. */
    public Pool(int maxConnections, int maxWaitQueue, Duration idleTimeout) {
      this(maxConnections, maxWaitQueue, idleTimeout, false);
    }
  }
}

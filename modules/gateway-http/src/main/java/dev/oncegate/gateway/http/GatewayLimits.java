package dev.oncegate.gateway.http;

import java.time.Duration;

/**
 * Limits of the client side, the same for every tenant.
 *
 * @param maxHeaderBytes all header lines of a request together
 * @param maxRequestLine bytes of the request line
 * @param idle a connection without a byte in either direction is closed after this long; must be
 *     longer than the longest {@code park.maxWait} plus {@code upstream.timeouts.total}, because a
 *     client that waits for its answer is idle too
 * @param uploadTotal how long the whole body of a keyed request may take
 * @param uploadWindow in each such span of time ...
 * @param uploadWindowBytes ... at least this many bytes of a body have to arrive
 * @param discard how much of an unread body is read and thrown away, to keep the connection
 * @param linger how long a connection that is to be closed is still read, so that the answer is not
 *     lost in a reset
 * @param projectOnLoop larger bodies are decoded and projected on a worker
 */
public record GatewayLimits(
    int maxHeaderBytes,
    int maxRequestLine,
    Duration idle,
    Duration uploadTotal,
    Duration uploadWindow,
    int uploadWindowBytes,
    int discard,
    Duration linger,
    int projectOnLoop) {

  /**
   * 32 KiB of headers hold a 9,000-character key beside large cookies; the line holds the longest
   * URL that browsers send. A minute suffices for 1 MiB at modem speed, and 100 bytes in 10 s is
   * slower than any network that carries HTTP at all. 256 KiB project in about a millisecond.
   */
  public static final GatewayLimits BUILT_IN =
      new GatewayLimits(
          32 * 1024,
          16 * 1024,
          Duration.ofMinutes(2),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          100,
          64 * 1024,
          Duration.ofSeconds(1),
          256 * 1024);

  /** The same limits with another bound on uploads. */
  public GatewayLimits withUpload(Duration total, Duration window, int windowBytes) {
    return new GatewayLimits(
        maxHeaderBytes,
        maxRequestLine,
        idle,
        total,
        window,
        windowBytes,
        discard,
        linger,
        projectOnLoop);
  }

  /** The same limits with another idle time. */
  public GatewayLimits withIdle(Duration longer) {
    return new GatewayLimits(
        maxHeaderBytes,
        maxRequestLine,
        longer,
        uploadTotal,
        uploadWindow,
        uploadWindowBytes,
        discard,
        linger,
        projectOnLoop);
  }
}

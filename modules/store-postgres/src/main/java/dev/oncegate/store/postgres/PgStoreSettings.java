package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import java.time.Duration;

/**
 * Limits of one store, that is of one event loop.
 *
 * @param claimConnections connections that only claim
 * @param settleConnections connections that only settle, so that owners can always finish
 * @param readConnections connections for reads and renewals
 * @param queue how many rows or statements may wait per lane; beyond it {@code StoreUnavailable} at
 *     once
 * @param patience how long an operation waits for a connection and asks again, from its first try
 * @param lockTimeout how long one statement waits for a rival that has not committed
 * @param connectTimeout how long making a connection may take
 * @param longestBackoff longest pause between two tries to connect
 * @param batchRows most rows of one statement; with 1 each row is a statement, and waits for its
 *     rivals in the server
 * @param batchBytes most bytes of one statement's rows, unless a single row has more
 */
public record PgStoreSettings(
    int claimConnections,
    int settleConnections,
    int readConnections,
    int queue,
    Duration patience,
    Duration lockTimeout,
    Duration connectTimeout,
    Duration longestBackoff,
    int batchRows,
    int batchBytes) {

  /**
   * Rows of one statement (architecture D): beyond 64 a statement saves little and waits longer.
   */
  public static final int BATCH_ROWS = 64;

  /** Bytes of one statement's rows; a single row may be larger. */
  public static final int BATCH_BYTES = 1 << 20;

  /**
   * Architecture D's lanes. 1.5 s of patience keeps a refusal below 2 s; 500 ms for a lock lets a
   * statement that waits end by itself, twice, before that; a back-off of at most 1 s finds a
   * returned Postgres well within 5 s.
   */
  public static final PgStoreSettings DEFAULTS =
      new PgStoreSettings(
          2,
          2,
          1,
          1024,
          Duration.ofMillis(1500),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  /** With batches of the usual size. */
  public PgStoreSettings(
      int claimConnections,
      int settleConnections,
      int readConnections,
      int queue,
      Duration patience,
      Duration lockTimeout,
      Duration connectTimeout,
      Duration longestBackoff) {
    this(
        claimConnections,
        settleConnections,
        readConnections,
        queue,
        patience,
        lockTimeout,
        connectTimeout,
        longestBackoff,
        BATCH_ROWS,
        BATCH_BYTES);
  }

  public PgStoreSettings {
    BrokenInvariant.require(
        claimConnections > 0 && settleConnections > 0 && readConnections > 0,
        "each lane has a connection");
    BrokenInvariant.require(queue > 0, "a lane can queue");
    BrokenInvariant.require(batchRows > 0 && batchBytes > 0, "a batch has a row");
    BrokenInvariant.require(
        lockTimeout.toMillis() > 0 && lockTimeout.multipliedBy(2).compareTo(patience) < 0,
        "a lock is given up well before the operation is");
  }

  /** The same with other lanes and batches: what a load test varies. */
  public PgStoreSettings with(int claims, int settles, int rows) {
    return new PgStoreSettings(
        claims,
        settles,
        readConnections,
        queue,
        patience,
        lockTimeout,
        connectTimeout,
        longestBackoff,
        rows,
        batchBytes);
  }
}

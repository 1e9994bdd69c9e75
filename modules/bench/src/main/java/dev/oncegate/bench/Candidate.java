package dev.oncegate.bench;

import dev.oncegate.store.postgres.PgStoreSettings;
import java.time.Duration;

/**
 * One way to run the store.
 *
 * @param pool connections for claims and settles together, half each
 * @param rows most rows of one statement
 */
record Candidate(int pool, int rows) {
  PgStoreSettings settings() {
    int half = Math.max(1, pool / 2);
    return new PgStoreSettings(
            half,
            half,
            1,
            4096,
            // Nothing is refused for being slow: what is measured is how much gets through.
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1))
        .with(half, half, rows);
  }

  @Override
  public String toString() {
    return "%-8s %2d connections".formatted(rows == 1 ? "single" : "batch " + rows, pool);
  }
}

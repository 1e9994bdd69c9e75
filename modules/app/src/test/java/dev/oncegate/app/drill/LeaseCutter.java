package dev.oncegate.app.drill;

import dev.oncegate.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * Lets the leases of running claims lapse now and then, as a pause of their owner would, and
 * measures for how long a lapsed claim is still {@code claimed}.
 */
final class LeaseCutter implements AutoCloseable {
  private static final String CUT =
      """
      update record set lease_until = clock_timestamp(), due_at = clock_timestamp()
      where id = (select id from record where state = 'claimed' and tenant <> 'held'
        order by claimed_at desc limit 1) and state = 'claimed'
      """;
  private static final String OVERDUE =
      """
      select coalesce(max(extract(epoch from clock_timestamp() - lease_until) * 1000), 0)::bigint
      from record where state = 'claimed'
      """;

  private final TestPostgres.Database database;
  private final DrillCluster cluster;
  private final Thread thread = new Thread(this::run, "lease-cutter");
  private volatile boolean cutting = true;
  private volatile boolean stopping;
  private volatile long longestMillis;
  private volatile Throwable failure;

  LeaseCutter(TestPostgres.Database database, DrillCluster cluster) {
    this.database = database;
    this.cluster = cluster;
    thread.start();
  }

  /** Cuts no more, and goes on measuring. */
  void stopCutting() {
    cutting = false;
  }

  /** The longest that a lapsed claim was seen as claimed while some node was there to sweep. */
  long longestMillis() {
    if (failure != null) {
      throw new AssertionError(failure);
    }
    return longestMillis;
  }

  private void run() {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; !stopping; i++) {
        if (cutting && i % 3 == 0) {
          statement.executeUpdate(CUT);
        }
        TimeUnit.MILLISECONDS.sleep(100);
        measure(statement);
      }
    } catch (SQLException | InterruptedException e) {
      failure = e;
    }
  }

  /** A claim that lapsed while nobody was there is overdue for no longer than somebody is. */
  private void measure(Statement statement) throws SQLException {
    long there = (RunClock.now() - cluster.someoneSince()) / 1000;
    try (var rows = statement.executeQuery(OVERDUE)) {
      rows.next();
      longestMillis = Math.max(longestMillis, Math.min(rows.getLong(1), there));
    }
  }

  @Override
  public void close() throws Exception {
    stopping = true;
    thread.join();
  }
}

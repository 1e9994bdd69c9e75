package dev.oncegate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * So many clients on one event loop, each of which asks again as soon as it is answered. A failure
 * is counted and is no success.
 */
final class ClosedLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ClosedLoop.class);

  private static final OperatingSystemMXBean CPU =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Vertx vertx;
  private final Context context;
  private final Supplier<Future<Void>> work;
  private final int clients;
  private long[] latencies = new long[1 << 16];
  private int done;
  private long failed;
  private long failures;
  private int running;
  private boolean counting;
  private boolean stopped;
  private final Promise<Void> ended = Promise.promise();

  ClosedLoop(Vertx vertx, Context context, int clients, Supplier<Future<Void>> work) {
    this.vertx = vertx;
    this.context = context;
    this.clients = clients;
    this.work = work;
  }

  /** Runs, on its loop, and says what came of it once the last client was answered. */
  Future<Measured> run(Duration warmUp, Duration measured) {
    Promise<Measured> result = Promise.promise();
    context.runOnContext(
        go -> {
          for (int i = 0; i < clients; i++) {
            running++;
            next();
          }
          vertx.setTimer(Math.max(1, warmUp.toMillis()), warm -> measure(measured, result));
        });
    return result.future();
  }

  private void measure(Duration measured, Promise<Measured> result) {
    counting = true;
    long began = System.nanoTime();
    long cpuBegan = CPU.getProcessCpuTime();
    vertx.setTimer(
        measured.toMillis(),
        over -> {
          counting = false;
          stopped = true;
          double seconds = (System.nanoTime() - began) / 1e9;
          double cpuMicros = (CPU.getProcessCpuTime() - cpuBegan) / 1e3 / Math.max(1, done);
          ended
              .future()
              .onComplete(
                  last -> {
                    long[] sorted = Arrays.copyOf(latencies, done);
                    Arrays.sort(sorted);
                    result.complete(new Measured(done / seconds, sorted, cpuMicros, failed));
                  });
        });
  }

  private void next() {
    long began = System.nanoTime();
    work.get()
        .onComplete(
            answered -> {
              if (counting) {
                count(answered.succeeded(), System.nanoTime() - began);
              }
              if (answered.failed() && ++failures == 1) {
                LOG.warn("the first failure", answered.cause());
              }
              if (!stopped) {
                // Not by a call from here: an answer that is there at once would end the stack.
                context.runOnContext(go -> next());
              } else if (--running == 0) {
                ended.complete();
              }
            });
  }

  private void count(boolean success, long nanos) {
    if (!success) {
      failed++;
      return;
    }
    if (done == latencies.length) {
      latencies = Arrays.copyOf(latencies, 2 * done);
    }
    latencies[done++] = nanos;
  }

  /**
   * What came of it.
   *
   * @param sortedNanos how long each success took
   * @param cpuMicros time on a processor for each, of this process: clients, gateway and upstream
   *     but not Postgres. It stays the same where others use the machine too.
   */
  record Measured(double perSecond, long[] sortedNanos, double cpuMicros, long failed) {
    /** In milliseconds; 0 where nothing succeeded. */
    double percentile(double share) {
      int at = (int) Math.min(sortedNanos.length - 1L, Math.round(share * sortedNanos.length));
      return sortedNanos.length == 0 ? 0 : sortedNanos[Math.max(0, at)] / 1e6;
    }
  }
}

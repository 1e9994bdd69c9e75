package dev.oncegate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Many seeds, and what they saw together. */
final class Campaign {
  /**
   * Every so many seeds one runs twice: a history that is not its seed's own cannot be repeated.
   */
  private static final int TWICE_EVERY = 100;

  private static final int MOST_FAILURES = 5;

  private final List<String> failures = new ArrayList<>();
  private final Map<Rare, Long> seen = new EnumMap<>(Rare.class);
  private final List<Integer> operations = new ArrayList<>();
  private final List<Integer> faults = new ArrayList<>();
  private long events;
  private long virtualNanos;
  private long cpuNanos;
  private int repeated;

  /** Seeds that failed once; they run first, always. */
  static List<Long> regressions() {
    List<Long> seeds = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(Campaign.class.getResourceAsStream("/sim/regressions.txt")),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String seed = line.replaceFirst("#.*", "").strip();
        if (!seed.isEmpty()) {
          seeds.add(Long.parseLong(seed));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seeds;
  }

  /** Runs seeds on as many threads; each world stays on one. */
  void run(long from, long count, int threads) throws InterruptedException {
    AtomicLong next = new AtomicLong(from);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker =
          new Thread(
              () -> {
                for (long seed = next.getAndIncrement();
                    seed < from + count && failures() < MOST_FAILURES;
                    seed = next.getAndIncrement()) {
                  one(seed);
                }
              },
              "simulation-" + i);
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  /** Runs a seed. */
  void one(long seed) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      Simulation.Result result = Simulation.run(seed);
      boolean again = seed % TWICE_EVERY == 0;
      if (again && Simulation.run(seed).digest() != result.digest()) {
        failed("seed " + seed + " has two histories");
      }
      long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      add(result, again ? took / 2 : took, again);
    } catch (Simulation.Failed failure) {
      failed(failure.getMessage());
    }
  }

  private synchronized void add(Simulation.Result result, long took, boolean again) {
    operations.add(result.operations());
    faults.add(result.faults());
    events += result.events();
    virtualNanos += result.virtualNanos();
    cpuNanos += took;
    repeated += again ? 1 : 0;
    result.seen().forEach((rare, count) -> seen.merge(rare, count, Long::sum));
  }

  private synchronized void failed(String message) {
    failures.add(message);
  }

  private synchronized int failures() {
    return failures.size();
  }

  int medianOperations() {
    return median(operations);
  }

  int medianFaults() {
    return median(faults);
  }

  private static int median(List<Integer> numbers) {
    return numbers.stream().sorted().skip(numbers.size() / 2).findFirst().orElse(0);
  }

  long seen(Rare rare) {
    return seen.getOrDefault(rare, 0L);
  }

  /** No seed failed; those that did become regressions. */
  void assertClean() {
    assertThat(failures)
        .as("seeds that failed belong into src/test/resources/sim/regressions.txt")
        .isEmpty();
  }

  /** Speed is by the processor's time: a busy machine says nothing of it. */
  String report() {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            "simulation: %,d seeds (%,d of them twice), %,d events, %,d failed%n",
            operations.size(), repeated, events, failures.size()));
    out.append(
        String.format(
            "  median run: %d operations, %d faults%n", medianOperations(), medianFaults()));
    out.append(
        String.format(
            "  %,.0f events per second of processor time, virtual : real = %,d : 1%n",
            events * 1e9 / Math.max(1, cpuNanos), virtualNanos / Math.max(1, cpuNanos)));
    for (Rare rare : Rare.values()) {
      out.append(
          String.format(
              "  %,10d %s%n", seen(rare), rare.name().toLowerCase(java.util.Locale.ROOT)));
    }
    return out.toString();
  }
}

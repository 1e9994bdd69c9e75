package dev.oncegate.bench;

import dev.oncegate.bench.ClosedLoop.Measured;
import dev.oncegate.store.postgres.PgStoreSettings;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * First executions per second, batched, against the same code with one row per statement at its
 * best pool size, all in one run; docs/bench.md says how to read it. The ways take turns in every
 * round, so that a machine which slows down slows all of them.
 */
public final class ClaimBench {
  private final BenchSettings settings;
  private final PrintStream out;

  ClaimBench(BenchSettings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /**
   * Options: {@code --clients --warm-up-ms --measured-ms --rounds --pools --batch-pool --parts}.
   */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    new ClaimBench(BenchSettings.parse(arguments), out).run();
  }

  void run() {
    try (Rig rig = new Rig(settings)) {
      out.printf(
          "%s, %d cores shared by all, %d clients%n",
          rig.server(), Runtime.getRuntime().availableProcessors(), settings.clients());
      for (String part : settings.parts()) {
        print(part, measured(rig, part));
      }
    }
  }

  private Map<Candidate, List<Measured>> measured(Rig rig, String part) {
    // Not counted: the code is compiled during it.
    candidates().forEach(candidate -> rig.measure(part, candidate));
    Map<Candidate, List<Measured>> results = new LinkedHashMap<>();
    for (int round = 0; round < settings.rounds(); round++) {
      for (Candidate candidate : candidates()) {
        results
            .computeIfAbsent(candidate, first -> new ArrayList<>())
            .add(rig.measure(part, candidate));
      }
    }
    return results;
  }

  private List<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(new Candidate(settings.batchPool(), PgStoreSettings.BATCH_ROWS));
    settings.pools().forEach(pool -> candidates.add(new Candidate(pool, 1)));
    return candidates;
  }

  private void print(String part, Map<Candidate, List<Measured>> results) {
    out.printf(
        "%n%s%n%-26s %12s %9s %9s %7s %7s%n",
        part, "", "per second", "p50 ms", "p99 ms", "cpu us", "failed");
    double batch = 0;
    double single = 0;
    for (Map.Entry<Candidate, List<Measured>> entry : results.entrySet()) {
      Measured median = median(entry.getValue());
      out.printf(
          "%-26s %12.0f %9.1f %9.1f %7.0f %7d%n",
          entry.getKey(),
          median.perSecond(),
          median.percentile(0.50),
          median.percentile(0.99),
          median.cpuMicros(),
          median.failed());
      if (entry.getKey().rows() == 1) {
        single = Math.max(single, median.perSecond());
      } else {
        batch = median.perSecond();
      }
    }
    out.printf("ratio batch / best single: %.2f%n", single == 0 ? 0 : batch / single);
  }

  private static Measured median(List<Measured> runs) {
    List<Measured> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingDouble(Measured::perSecond));
    return sorted.get(sorted.size() / 2);
  }
}

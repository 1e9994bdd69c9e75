package dev.oncegate.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What is measured and for how long.
 *
 * @param clients closed loops: each asks again as soon as it is answered
 * @param warmUp before each measurement, not counted
 * @param measured how long each measurement takes
 * @param rounds how often each is repeated; the median counts
 * @param pools sizes of the pool at which one row per statement is tried, half of it for claims
 * @param batchPool size of the pool for batches, half of it for claims
 * @param parts {@code store}, {@code gateway} or both
 */
record BenchSettings(
    int clients,
    Duration warmUp,
    Duration measured,
    int rounds,
    List<Integer> pools,
    int batchPool,
    List<String> parts) {

  /** What the proof of issue 3 asks for. */
  static final BenchSettings FULL =
      new BenchSettings(
          128,
          Duration.ofSeconds(3),
          Duration.ofSeconds(8),
          3,
          List.of(2, 4, 8, 16, 32),
          4,
          List.of("store", "gateway"));

  /** Reads {@code --name=value}; what is not given is as in {@link #FULL}. */
  static BenchSettings parse(String... arguments) {
    BenchSettings settings = FULL;
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      if (pair.length != 2) {
        throw new IllegalArgumentException("not --name=value: " + argument);
      }
      settings = settings.with(pair[0].toLowerCase(Locale.ROOT), pair[1]);
    }
    return settings;
  }

  private BenchSettings with(String name, String value) {
    int number = value.matches("\\d{1,9}") ? Integer.parseInt(value) : 0;
    return new BenchSettings(
        name.equals("--clients") ? number : clients,
        name.equals("--warm-up-ms") ? Duration.ofMillis(number) : warmUp,
        name.equals("--measured-ms") ? Duration.ofMillis(number) : measured,
        name.equals("--rounds") ? number : rounds,
        name.equals("--pools")
            ? Arrays.stream(value.split(",")).map(Integer::valueOf).toList()
            : pools,
        name.equals("--batch-pool") ? number : batchPool,
        name.equals("--parts") ? List.of(value.split(",")) : parts);
  }
}

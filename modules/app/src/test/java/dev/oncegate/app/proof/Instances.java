package dev.oncegate.app.proof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What lives on the heap of a gateway process, asked from outside. */
final class Instances {
  /** All there is per key while somebody runs or waits. */
  private static final List<String> PER_KEY =
      List.of("Winner", "WaiterGroup", "Waiter", "WinnerWatch", "ClaimWatch", "Exchange");

  private Instances() {}

  /** How many objects per key the engine holds, after a full collection. */
  static long perKey(Node node) throws Exception {
    String histogram = histogram(node);
    if (!histogram.contains("dev.oncegate.engine.IdempotencyEngine")) {
      throw new AssertionError("no histogram: " + histogram.substring(0, 200));
    }
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 3 && isPerKey(words[3]))
        .mapToLong(words -> Long.parseLong(words[1]))
        .sum();
  }

  private static boolean isPerKey(String type) {
    return PER_KEY.stream().anyMatch(name -> type.equals("dev.oncegate.engine." + name));
  }

  /** Lines are: number, instances, bytes, class, module. */
  private static String histogram(Node node) throws IOException, InterruptedException {
    List<String> command =
        Arrays.asList(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
            Long.toString(node.pid()),
            "GC.class_histogram");
    Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new AssertionError(said);
    }
    return said;
  }
}

package dev.oncegate.app.proof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of a gateway process, asked from outside. */
final class Heap {
  private static final Pattern GENERATION =
      Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

  private Heap() {}

  /** What is in use after a full collection, in bytes. */
  static long used(Node node) throws Exception {
    jcmd(node, "GC.run");
    Matcher generation = GENERATION.matcher(jcmd(node, "GC.heap_info"));
    long kibibytes = 0;
    int generations = 0;
    while (generation.find()) {
      kibibytes += Long.parseLong(generation.group(1));
      generations++;
    }
    if (generations != 2) {
      throw new AssertionError("not the heap of the serial collector");
    }
    return kibibytes * 1024;
  }

  private static String jcmd(Node node, String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(node.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new AssertionError(command + ": " + said);
    }
    return said;
  }
}

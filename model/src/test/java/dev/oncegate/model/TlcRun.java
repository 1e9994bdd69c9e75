package dev.oncegate.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tlc2.TLC;

/** What TLC, in a JVM of its own, made of one configuration. */
record TlcRun(int exit, String output) {
  private static final Pattern DISTINCT =
      Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found, 0 states left");
  private static final Pattern STEP = Pattern.compile("(?m)^State (\\d+):");

  static TlcRun of(Configuration configuration) throws IOException, InterruptedException {
    Path room =
        Files.createDirectories(Configuration.HOME.resolve("target/tlc/" + configuration.name()));
    Path output = room.resolve("output.txt");
    Process process =
        new ProcessBuilder(command(configuration, room))
            .directory(Configuration.HOME.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(configuration.isLong() ? 240 : 10, TimeUnit.MINUTES);
      return new TlcRun(ended ? process.exitValue() : -1, Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> command(Configuration configuration, Path room) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseParallelGC");
    if (configuration.isLong()) {
      command.add("-Xmx2g");
    } else {
      command.add("-Xmx768m");
      // most runs end before the second compiler has paid for itself
      command.add("-XX:TieredStopAtLevel=1");
    }
    // TLC unpacks its own modules there, and two runs at once would read each other's halves
    command.add("-Djava.io.tmpdir=" + room);
    command.addAll(List.of("-cp", jar(), "tlc2.TLC", "-workers", "1"));
    command.addAll(List.of("-metadir", room.resolve("states").toString()));
    command.addAll(List.of("-config", configuration.path(), "Oncegate.tla"));
    return command;
  }

  private static String jar() {
    try {
      return Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Distinct states of a whole search; empty if it did not come to an end. */
  String distinct() {
    return last(DISTINCT);
  }

  /** States of the trace that was printed; empty if there is none. */
  String trace() {
    return last(STEP);
  }

  private String last(Pattern pattern) {
    List<MatchResult> found = pattern.matcher(output).results().toList();
    return found.isEmpty() ? "" : found.get(found.size() - 1).group(1);
  }
}

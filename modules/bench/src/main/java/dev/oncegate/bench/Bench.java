package dev.oncegate.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Runs one of the measurements: {@code claim}, {@code wake}, {@code hotkey}, {@code heap} or {@code
 * neighbour}, with options {@code --name=number}; docs/bench.md says how to read them.
 */
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    String name = arguments.length == 0 ? "" : arguments[0];
    try {
      run(
          name,
          out,
          Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
      System.exit(0);
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      // Event loops that a failed measurement has left behind would keep the process alive.
      System.exit(1);
    }
  }

  /** Throws {@link IllegalArgumentException} where there is no such measurement or option. */
  static void run(String name, PrintStream out, String... options) {
    switch (name) {
      case "claim" -> new ClaimBench(BenchSettings.parse(options), out).run();
      case "wake" -> new WakeBench(Options.parse(WakeBench.BUILT_IN, options), out).run();
      case "hotkey" -> new HotKeyBench(Options.parse(HotKeyBench.BUILT_IN, options), out).run();
      case "heap" -> new HeapBench(Options.parse(HeapBench.BUILT_IN, options), out).run();
      case "neighbour" ->
          new NeighbourBench(Options.parse(NeighbourBench.BUILT_IN, options), out).run();
      default ->
          throw new IllegalArgumentException(
              "name one of: claim, wake, hotkey, heap, neighbour; not '" + name + "'");
    }
  }
}

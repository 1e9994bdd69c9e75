package dev.oncegate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** That it runs; how fast is no matter of a test. */
class ClaimBenchIT {
  @Test
  void smallRun_printsItsTables() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BenchSettings settings =
        BenchSettings.parse(
            "--clients=8", "--warm-up-ms=100", "--measured-ms=400", "--rounds=1", "--pools=4");
    new ClaimBench(settings, new PrintStream(bytes, true, StandardCharsets.UTF_8)).run();
    String printed = bytes.toString(StandardCharsets.UTF_8);

    assertThat(printed).contains("fsync=on", "8 clients", "\nstore\n", "\ngateway\n");
    assertThat(lines(printed, "batch 64  4 connections")).isEqualTo(2);
    assertThat(lines(printed, "single    4 connections")).isEqualTo(2);
    assertThat(lines(printed, "ratio batch / best single: ")).isEqualTo(2);
    assertThat(printed).doesNotContain(": 0.00");
    assertThat(printed.lines().filter(line -> line.matches("(batch|single) .*")))
        .as("nothing failed")
        .allMatch(line -> line.endsWith(" 0"));
  }

  private static long lines(String printed, String beginning) {
    return printed.lines().filter(line -> line.startsWith(beginning)).count();
  }
}

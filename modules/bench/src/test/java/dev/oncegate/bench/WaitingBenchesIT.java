package dev.oncegate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** That they run; how fast is no matter of a test. */
class WaitingBenchesIT {
  private static String printed(String name, String... options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Bench.run(name, new PrintStream(bytes, true, StandardCharsets.UTF_8), options);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wake_printsEachWay() {
    assertThat(printed("wake", "--rounds=1", "--trials=4", "--lanes=2", "--warm-up=1"))
        .contains("fsync=on", "same loop ", "another loop ", "another node ", "polls alone");
  }

  @Test
  void hotKey_printsItsRoundsAndTheMedian() {
    assertThat(printed("hotkey", "--rounds=1", "--waiters=20"))
        .contains("\n1 ", "winner's node 0, 0, 0; other node 1, ", "median: last answer ");
  }

  @Test
  void heap_printsEachPlace_andNoPayloadIsKept() {
    String printed =
        printed("heap", "--rounds=1", "--waiters=20", "--large-waiters=10", "--large-body=20000");
    assertThat(printed)
        .contains("plain handler, small", "winner's loop, small", "another loop, large");
    // The newest request may linger in a handler; what every waiter kept would be ten or twenty.
    assertThat(printed).doesNotContainPattern("(?:[4-9]|\\d{2,}) more of");
  }

  @Test
  void neighbour_printsBothWays() {
    String printed =
        printed(
            "neighbour",
            "--rounds=1",
            "--waiters=10",
            "--keys=2",
            "--hold-ms=50",
            "--per-second=50",
            "--warm-up-ms=50",
            "--measured-ms=300");
    assertThat(printed).contains("woken by hints ", "polling every 100 ms ");
  }

  @Test
  void unknownNames_areRefused() {
    assertThatThrownBy(() -> printed("walk")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> printed("wake", "--round=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rounds");
  }
}

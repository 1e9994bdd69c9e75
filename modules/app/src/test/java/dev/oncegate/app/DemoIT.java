package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The printed lines, pasted. */
class DemoIT {
  @TempDir Path directory;

  @Test
  void printedCurlLines_tellTheStory() throws Exception {
    assumeTrue(curlIsThere(), "curl is not installed; .ci/run pastes the lines as well");
    try (OncegateProcess demo =
        OncegateProcess.start(
            directory,
            Map.of(),
            "demo",
            "--tenants",
            Path.of("../../tenants.yaml").toAbsolutePath().normalize().toString(),
            "--port",
            "0",
            "--ops-port",
            "0",
            "--ledger-port",
            "0")) {
      demo.ready();
      List<String> answers = new ArrayList<>();
      for (String line : demo.out()) {
        if (line.startsWith("curl ")) {
          answers.add(paste(line));
        }
      }
      assertThat(answers).hasSize(6);
      assertThat(answers.get(0)).contains("201 Created", "Idempotency-Status: executed");
      assertThat(answers.get(1)).contains("201 Created", "Idempotency-Replayed: true");
      assertThat(body(answers.get(1))).isEqualTo(body(answers.get(0)));
      assertThat(answers.get(2)).contains("422", "urn:oncegate:problem:key-reused");
      assertThat(answers.get(3)).contains("400", "urn:oncegate:problem:key-missing");
      assertThat(answers.get(4))
          .contains("Idempotency-Status: executed", "Idempotency-Status: replayed")
          .doesNotContain("409");
      assertThat(answers.get(5)).contains("\"count\":2");
    }
    assertThat(directory.resolve("data/demo/secret")).exists();
  }

  private static String paste(String line) throws IOException {
    Process shell = new ProcessBuilder("sh", "-c", line.replaceFirst("^curl", "curl -s")).start();
    return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String body(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n"));
  }

  private static boolean curlIsThere() throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v curl").start().waitFor() == 0;
  }
}

package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** docs/configuration.md lists every setting as the settings class has it. */
class SettingsDocumentTest {
  private static final Path PAGE = Path.of("../../docs/configuration.md");

  /** What is built in, but differs from machine to machine. */
  private static final Map<String, String> FOUND_OUT =
      Map.of(
          Settings.INSTANCES.name(),
          Settings.PROCESSORS,
          ClusterSettings.HOST.name(),
          ClusterSettings.OWN_ADDRESS);

  @Test
  void everySetting_hasItsRow_andNoOtherHas() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();
    assertThat(String.join("\n", rows))
        .isEqualTo(
            String.join("\n", Settings.ALL.stream().map(SettingsDocumentTest::row).toList()));
  }

  private static String row(Setting<?> setting) {
    if (setting.isLater()) {
      return "| `%s` | not supported yet | – | %s | %s |"
          .formatted(setting.name(), ways(setting), setting.meaning());
    }
    String builtIn =
        FOUND_OUT.getOrDefault(
            setting.name(), setting.builtIn().map(v -> "`" + v + "`").orElse("–"));
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(
            setting.name(), setting.kind().form(), builtIn, ways(setting), setting.meaning());
  }

  private static String ways(Setting<?> setting) {
    String flag = setting.flag().map(name -> "`" + name + "`").orElse("");
    String variable = setting.variable().map(name -> "`" + name + "`").orElse("");
    String both = flag.isEmpty() || variable.isEmpty() ? flag + variable : flag + ", " + variable;
    return both.isEmpty() ? "–" : both;
  }
}

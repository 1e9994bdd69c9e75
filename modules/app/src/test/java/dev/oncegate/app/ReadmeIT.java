package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README says to type, typed. */
class ReadmeIT {
  private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern TABLE_COMMAND = Pattern.compile("\\| `(curl [^`]+)` \\|");
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:8080");
  private static final String REQUEST =
      "POST /shop/charges HTTP/1.1\nHost: localhost\nContent-Type: application/json\n\n{\"a\":1}";

  @TempDir Path directory;
  private String readme;

  @BeforeEach
  void read() throws Exception {
    readme = Files.readString(HOME.resolve("README.md"));
  }

  @Test
  void curlLines_tellTheStory() throws Exception {
    assumeTrue(sh("command -v curl").code() == 0, "curl is not installed");
    List<String> fenced =
        commands().stream().filter(command -> command.startsWith("curl ")).toList();
    assertThat(fenced).as("the first request").hasSize(1);
    Matcher effects = TABLE_COMMAND.matcher(readme);
    assertThat(effects.find()).as("the ledger").isTrue();
    try (OncegateProcess demo = demo()) {
      String first = fenced.get(0);
      URI at = demo.ready().get(0);
      assertThat(curl(first, at)).contains("201 Created", "Idempotency-Status: executed");
      assertThat(curl(first, at))
          .contains("201 Created", "Idempotency-Status: replayed", "Idempotency-Replayed: true");
      assertThat(curl(first.replace("500", "700"), at))
          .contains("422", "urn:oncegate:problem:key-reused");
      assertThat(curl(first.replaceFirst("-H 'Idempotency-Key[^']*'", ""), at))
          .contains("400", "urn:oncegate:problem:key-missing");
      assertThat(curl(effects.group(1), at)).contains("\"count\":1");
    }
  }

  @Test
  void commandsThatEnd_endWell() throws Exception {
    Files.writeString(directory.resolve("request"), REQUEST);
    Files.copy(HOME.resolve("tenants.yaml"), directory.resolve("tenants.yaml"));
    String launcher =
        "exec '%s' -XX:TieredStopAtLevel=1 -jar '%s' \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Path.of("target", "oncegate.jar").toAbsolutePath());
    Path oncegate = Files.writeString(directory.resolve("oncegate"), "#!/bin/sh\n" + launcher);
    assertThat(oncegate.toFile().setExecutable(true)).isTrue();
    List<String> ending =
        commands().stream()
            .filter(command -> command.startsWith("./oncegate "))
            .filter(command -> !command.matches("./oncegate (demo|serve).*"))
            .toList();
    assertThat(ending).as("validate, explain, fingerprint, schema, completion, help").hasSize(6);
    for (String command : ending) {
      assertThat(sh(command).code()).as(command).isZero();
    }
  }

  @Test
  void flagsOfServe_areKnown() {
    String help = OncegateProcess.run(directory, Map.of(), "serve", "--help").out();
    List<String> flags =
        commands().stream()
            .filter(command -> command.contains("oncegate serve"))
            .flatMap(command -> Arrays.stream(command.split("\\s+")))
            .filter(word -> word.startsWith("--"))
            .toList();
    assertThat(flags).contains("--tenants", "--postgres", "--config", "--cluster");
    assertThat(flags).allSatisfy(flag -> assertThat(help).containsPattern(flag + "[=\\s]"));
  }

  private OncegateProcess demo() {
    return OncegateProcess.start(
        directory,
        Map.of(),
        "demo",
        "--tenants",
        HOME.resolve("tenants.yaml").toString(),
        "--port",
        "0",
        "--ops-port",
        "0",
        "--ledger-port",
        "0");
  }

  /** Lines of the blocks without a language, joined where they go on, without their notes. */
  private List<String> commands() {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    boolean shell = false;
    for (String line : readme.replace("\\\n", "").split("\n")) {
      if (line.startsWith("```")) {
        shell = !inside && line.equals("```");
        inside = !inside;
      } else if (shell && !line.isBlank()) {
        commands.add(line.replaceFirst("\\s+# .*", "").strip());
      }
    }
    return commands;
  }

  private String curl(String command, URI gateway) throws Exception {
    return sh(ADDRESS
            .matcher(command)
            .replaceAll(gateway.toString())
            .replaceFirst("curl", "curl -s"))
        .out();
  }

  private record Ran(int code, String out) {}

  private Ran sh(String command) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(shell.waitFor(), out);
  }
}

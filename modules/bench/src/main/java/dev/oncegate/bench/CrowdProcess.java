package dev.oncegate.bench;

import dev.oncegate.core.BrokenInvariant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The other process, in which a {@link Crowd} runs. */
final class CrowdProcess implements AutoCloseable {
  private final int size;
  private final Process process;
  private final PrintStream commands;
  private final BufferedReader answers;

  /** Returns once all are connected. */
  CrowdProcess(String tenant, int size, int... ports) {
    this.size = size;
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Crowd.class.getName(), tenant, String.valueOf(size)));
    for (int port : ports) {
      command.add(String.valueOf(port));
    }
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    line("connected");
  }

  /** All send the same charge, with a body of about so many bytes. */
  void send(String key, int bytes) {
    commands.println(key + " " + bytes);
  }

  /** Waits for all answers, each of which has to be 201; the monotonic time of the last one. */
  long lastAnswer() {
    String[] words = line("answered").split(" ");
    BrokenInvariant.require(
        Integer.parseInt(words[2]) == size, "all are answered with 201, not " + words[2]);
    return Long.parseLong(words[1]);
  }

  private String line(String beginning) {
    try {
      String line = answers.readLine();
      BrokenInvariant.require(
          line != null && line.startsWith(beginning), beginning + " is said, not " + line);
      return String.valueOf(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it, and its connections. */
  @Override
  public void close() {
    commands.close();
    process.onExit().join();
  }
}

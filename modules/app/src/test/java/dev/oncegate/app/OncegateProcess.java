package dev.oncegate.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged jar as a process of its own, as the launcher would run it. */
public final class OncegateProcess implements AutoCloseable {
  private static final Path JAR = Path.of("target", "oncegate.jar").toAbsolutePath();
  private static final Pattern READY =
      Pattern.compile("oncegate ready on (https?://\\S+) \\(ops (http://\\S+)\\)");
  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final Path err;
  private final List<String> out = new ArrayList<>();

  private OncegateProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
  }

  /** How a command ended. */
  public record Result(int exitCode, String out, String err) {
    /** The one line that a failure prints. */
    public String errLine() {
      return err.lines().count() == 1 ? err.strip() : "not one line: " + err;
    }
  }

  /** Runs a command to its end. */
  public static Result run(Path directory, Map<String, String> environment, String... arguments) {
    try (OncegateProcess oncegate = start(directory, environment, arguments)) {
      oncegate.process.getOutputStream().close();
      oncegate.readOut();
      return new Result(oncegate.exitCode(), String.join("\n", oncegate.out), oncegate.err());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a command. */
  public static OncegateProcess start(
      Path directory, Map<String, String> environment, String... arguments) {
    return start(List.of(), directory, environment, arguments);
  }

  /**
   * Starts a command behind another one.
   *
   * @param before what becomes the command by {@code exec}, such as one that enters a namespace
   */
  public static OncegateProcess start(
      List<String> before, Path directory, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(before);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            JAR.toString()));
    command.addAll(List.of(arguments));
    try {
      Path err = Files.createTempFile(directory, "stderr", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("ONCEGATE_"));
      builder.environment().putAll(environment);
      return new OncegateProcess(builder.redirectError(err.toFile()).start(), err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the ready line; gives the address of traffic and that of ops. */
  public List<URI> ready() {
    BufferedReader reader = process.inputReader();
    try {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        out.add(line);
        Matcher matcher = READY.matcher(line);
        if (matcher.matches()) {
          return List.of(URI.create(matcher.group(1)), URI.create(matcher.group(2)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("never ready: " + err());
  }

  private void readOut() {
    process.inputReader().lines().forEach(out::add);
  }

  /** Standard output so far. */
  public List<String> out() {
    return out;
  }

  /** Standard error so far. */
  public String err() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** SIGKILL; gives back once the process is gone. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Whether it ends within that time. */
  public boolean endsWithin(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** SIGSTOP: it stands still in the middle of whatever it does, until {@link #goOn}. */
  public void freeze() {
    signal("-STOP");
  }

  /** SIGCONT. */
  public void goOn() {
    signal("-CONT");
  }

  private void signal(String which) {
    try {
      new ProcessBuilder("kill", which, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Waits for the end. */
  public int exitCode() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Ends it in order where it still runs, so that no embedded Postgres is left behind. */
  @Override
  public void close() {
    if (process.isAlive()) {
      process.destroy();
      exitCode();
    }
  }
}

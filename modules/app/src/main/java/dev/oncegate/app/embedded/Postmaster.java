package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The server process of a database directory, as {@code postmaster.pid} names it. A killed gateway
 * leaves it running; it is stopped and started afresh rather than adopted, because nobody knows
 * under which settings it runs.
 */
final class Postmaster {
  /** A fast shutdown writes a checkpoint, which takes long on a slow disk. */
  private static final Duration STOP = Duration.ofSeconds(60);

  private static final String PID_FILE = "postmaster.pid";

  private final ProcessHandle process;
  private final Path directory;

  private Postmaster(ProcessHandle process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  /** The living server of this directory; a pid that now belongs to something else is none. */
  static Optional<Postmaster> of(Path directory) {
    return pid(directory)
        .flatMap(ProcessHandle::of)
        .filter(ProcessHandle::isAlive)
        .filter(process -> serves(process, directory))
        .map(process -> new Postmaster(process, directory));
  }

  /** Stops what a killed run left. The caller holds the directory's lock. */
  static boolean stopLeftOver(Path directory) {
    Optional<Postmaster> left = of(directory);
    if (left.isPresent()) {
      left.get().stop();
      return true;
    }
    dropReusedPid(directory);
    return false;
  }

  /** SIGINT, a fast shutdown: no new sessions, running ones are rolled back, all is on disk. */
  void stop() {
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      awaitExit();
    } catch (IOException e) {
      throw StartFailure.unreachable("cannot stop the Postgres of " + directory, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StartFailure.unreachable("interrupted while stopping Postgres", e);
    }
  }

  void awaitExit() throws InterruptedException {
    try {
      process.onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw StartFailure.unreachable(
          "the Postgres of "
              + directory
              + " (process "
              + process.pid()
              + ") does not stop; stop it by hand",
          e);
    }
  }

  private static Optional<Long> pid(Path directory) {
    try {
      return Files.readAllLines(directory.resolve(PID_FILE), StandardCharsets.ISO_8859_1).stream()
          .findFirst()
          .map(line -> Long.parseLong(line.strip()));
    } catch (IOException | NumberFormatException e) {
      // Missing, or cut off by a power failure: Postgres itself says so where it matters.
      return Optional.empty();
    }
  }

  /**
   * Postgres refuses to start while any process of this user has the pid in its file. After a
   * restart of the machine or the container that can be a stranger, even this JVM. A process that
   * may be a Postgres, of whatever directory, is left to Postgres's own judgement: two servers on
   * one directory would destroy it.
   */
  private static void dropReusedPid(Path directory) {
    List<String> arguments =
        pid(directory).flatMap(ProcessHandle::of).map(Postmaster::arguments).orElse(List.of());
    if (!arguments.isEmpty() && !Path.of(arguments.get(0)).endsWith("postgres")) {
      try {
        Files.delete(directory.resolve(PID_FILE));
      } catch (IOException e) {
        throw StartFailure.invalid("cannot delete a stale " + directory.resolve(PID_FILE), e);
      }
    }
  }

  private static boolean serves(ProcessHandle process, Path directory) {
    List<String> arguments = arguments(process);
    return !arguments.isEmpty()
        && Path.of(arguments.get(0)).endsWith("postgres")
        && arguments.contains(directory.toString());
  }

  /**
   * The command and its arguments. Linux lets anyone read the arguments, but not the executable of
   * another user namespace.
   */
  static List<String> arguments(ProcessHandle process) {
    try {
      Path cmdline = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return List.of(Files.readString(cmdline, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException e) {
      ProcessHandle.Info info = process.info();
      return info.command()
          .map(command -> concat(command, info.arguments().orElse(new String[0])))
          .orElse(List.of());
    }
  }

  private static List<String> concat(String command, String[] arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = command;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Arrays.asList(all);
  }
}

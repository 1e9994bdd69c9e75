package dev.oncegate.app.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends the wait for a server that has already failed. The library only asks a port until its time
 * is up, so that a damaged directory would cost a minute of silence.
 */
final class StartWatch {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Looks in a row that find no process: one alone can fall between fork and pid file. */
  private static final int LOOKS = 5;

  private final Path directory;
  private volatile boolean initialised;

  StartWatch(Path directory) {
    this.directory = directory;
  }

  /** The directory is ready and the server is started next. */
  void initialised() {
    initialised = true;
  }

  /** Runs the blocking start and gives its result, or fails as soon as no server can come of it. */
  <T> T await(Callable<T> start, Duration longest) throws IOException {
    FutureTask<T> task = new FutureTask<>(start);
    Thread thread = new Thread(task, "embedded-postgres-start");
    thread.setDaemon(true);
    thread.start();
    long begun = System.nanoTime();
    int missed = 0;
    while (true) {
      try {
        return task.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        missed = initialised && !alive() ? missed + 1 : 0;
        boolean late = System.nanoTime() - begun > longest.multipliedBy(2).toNanos();
        if (missed >= LOOKS || late) {
          task.cancel(true);
          throw new IOException(late ? "it takes too long" : "the server process has ended");
        }
      } catch (ExecutionException e) {
        throw new IOException(String.valueOf(e.getCause()), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** The server, or the tool that is starting it. */
  private boolean alive() {
    return Postmaster.of(directory).isPresent()
        || ProcessHandle.current()
            .children()
            .anyMatch(child -> Postmaster.arguments(child).stream().anyMatch(StartWatch::starts));
  }

  private static boolean starts(String argument) {
    return argument.endsWith("pg_ctl");
  }
}

package dev.oncegate.app.proof;

import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a Postgres of the test's own has been asked, as its own log tells. */
final class StatementLog {
  private final TestPostgres.Database database;
  private final Path file;

  private StatementLog(TestPostgres.Database database, Path file) {
    this.database = database;
    this.file = file;
  }

  /** One execution of a statement: on which server process, and the text. */
  record Executed(long connection, String sql) {
    boolean isClaim() {
      return sql.contains("pg_try_advisory_xact_lock");
    }

    /** Whether some claims still run. */
    boolean isStanding() {
      return sql.startsWith("select a.id, a.token from unnest(");
    }

    /** Of one record with its answer. */
    boolean isRead() {
      return sql.startsWith("select") && sql.endsWith("where r.id = $1");
    }
  }

  /** The waiters' share of what was executed. */
  record Share(int claims, int firstLooks, int polls, int reads) {
    int besidePolls() {
      return claims + firstLooks + reads;
    }
  }

  /** Restarts the server so that it writes down every statement; nobody is connected to it yet. */
  static StatementLog begin(TestPostgres server, TestPostgres.Database database) {
    for (String setting :
        List.of(
            "logging_collector = on",
            "log_destination = 'jsonlog'",
            "log_directory = 'statements'",
            "log_filename = 'all.log'",
            "log_rotation_size = 0",
            "log_parameter_max_length = 0",
            "log_statement = 'all'")) {
      database.execute("alter system set " + setting);
    }
    server.stop();
    server.start();
    return new StatementLog(
        database,
        Path.of(String.valueOf(database.query("show data_directory")), "statements", "all.json"));
  }

  /** Puts a mark between what was executed before and what comes. */
  void mark(String name) {
    database.query("select 'mark " + name + "'");
  }

  /** What was executed between two marks; waits until the server has written it. */
  List<Executed> between(String from, String to) {
    await().until(() -> lines().stream().anyMatch(isMark(to)));
    return lines().stream()
        .dropWhile(isMark(from).negate())
        .takeWhile(isMark(to).negate())
        .toList();
  }

  /**
   * What waiting took. A loop has one connection for its look-ups, so its first one there is the
   * look after attaching, and any further one is a poll.
   */
  static Share share(List<Executed> executed) {
    Set<Long> loops = new HashSet<>();
    int claims = 0;
    int firstLooks = 0;
    int polls = 0;
    int reads = 0;
    for (Executed each : executed) {
      if (each.isClaim()) {
        claims++;
      } else if (each.isStanding() && loops.add(each.connection())) {
        firstLooks++;
      } else if (each.isStanding()) {
        polls++;
      } else if (each.isRead()) {
        reads++;
      }
    }
    return new Share(claims, firstLooks, polls, reads);
  }

  private static Predicate<Executed> isMark(String name) {
    return executed -> executed.sql().equals("select 'mark " + name + "'");
  }

  private List<Executed> lines() {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(JsonObject::new)
          .filter(line -> line.getString("message", "").startsWith("execute "))
          .map(line -> new Executed(line.getLong("pid"), sql(line.getString("message"))))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Behind {@code execute NAME:}. */
  private static String sql(String message) {
    return message.substring(message.indexOf(": ") + 2).strip();
  }
}

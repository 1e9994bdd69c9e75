package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A good run of two tenants, to be spoilt: {@code plain} is executed and replayed; {@code verdict}
 * is lost by its owner and completed by a probe; {@code again} is released after a transient
 * answer, and executed by the next try; {@code old} has ended its tombstone and is executed in a
 * second life.
 */
final class SampleRun {
  static final long SECOND = 1_000_000;
  static final long DEADLINE = 1_000 * SECOND;

  final List<Attempt> attempts = new ArrayList<>();
  final List<LedgerLine> ledger = new ArrayList<>();
  final List<FinalRow> rows = new ArrayList<>();
  final List<Step> journal = new ArrayList<>();
  final List<Book> books = new ArrayList<>();
  long executedByMetrics = 3;
  long kills = 3;

  SampleRun() {
    plain();
    verdict();
    again();
    old();
    books.add(book("t", 4, 3, 1));
    books.add(book("u", 2, 2, 0));
  }

  private void plain() {
    tell("p1", "t", "plain", "A", 10, 30, Said.EXECUTED, 201, "plain-1");
    tell("p2", "t", "plain", "A", 12, 20, Said.IN_FLIGHT, 409, "");
    tell("p3", "t", "plain", "B", 15, 25, Said.MISMATCH, 422, "");
    tell("p4", "t", "plain", "A", 40, 50, Said.REPLAYED, 201, "plain-1");
    tell("p5", "t", "plain", "A", 60, 70, Said.NOTHING, 0, "");
    tell("p6", "t", "plain", "A", 80, 90, Said.REPLAYED, 201, "plain-1");
    handle("p1", "plain", 11, true, 201, "plain-1");
    row("t", "plain", 11, 201, "plain-1", false);
    step("t", "plain", 15, null, State.CLAIMED, 0, 11);
    step("t", "plain", 25, State.CLAIMED, State.COMPLETED, 11, 11);
  }

  private void verdict() {
    tell("v1", "t", "verdict", "A", 10, 30, Said.NOTHING, 0, "");
    tell("v2", "t", "verdict", "A", 40, 50, Said.UNKNOWN, 409, "");
    told("v3", "t", "verdict", "A", 90, 95, Said.REPLAYED, new Answer(201, "probed-v1"), true);
    handle("v1", "verdict", 12, true, 201, "verdict-1");
    rows.add(
        new FinalRow(
            "verdict",
            "t",
            State.COMPLETED,
            12,
            Optional.of(new Answer(201, "probed-v1")),
            true,
            false));
    step("t", "verdict", 12, null, State.CLAIMED, 0, 12);
    step("t", "verdict", 35, State.CLAIMED, State.UNKNOWN, 12, 12);
    journal.add(
        new Step(
            "verdict",
            "t",
            80,
            Optional.of(State.UNKNOWN),
            Optional.of(State.COMPLETED),
            12,
            12,
            "f",
            true,
            0));
  }

  private void again() {
    tell("a1", "t", "again", "A", 10, 30, Said.TRANSIENT, 503, "again-1");
    tell("a2", "t", "again", "A", 12, 31, Said.ATTEMPT_RELEASED, 503, "");
    tell("a3", "t", "again", "A", 40, 50, Said.EXECUTED, 201, "again-3");
    ledger.add(
        new LedgerLine(
            "a1",
            "again",
            OptionalLong.of(13),
            false,
            false,
            false,
            new Answer(503, "again-1"),
            Optional.empty(),
            ledger.size()));
    handle("a3", "again", 14, true, 201, "again-3");
    row("t", "again", 14, 201, "again-3", false);
    step("t", "again", 12, null, State.CLAIMED, 0, 13);
    step("t", "again", 25, State.CLAIMED, null, 13, 13);
    step("t", "again", 42, null, State.CLAIMED, 0, 14);
    step("t", "again", 45, State.CLAIMED, State.COMPLETED, 14, 14);
  }

  private void old() {
    tell("o1", "u", "old", "A", 10, 30, Said.EXECUTED, 201, "old-1");
    tell("o2", "u", "old", "A", 2000 * SECOND, 2001 * SECOND, Said.EXPIRED, 410, "");
    tell("o3", "u", "old", "A", 4000 * SECOND, 4001 * SECOND, Said.REPLAYED, 201, "old-4");
    tell("o4", "u", "old", "A", 3900 * SECOND, 3901 * SECOND, Said.NOTHING, 201, "old-4");
    handle("o1", "old", 20, true, 201, "old-1");
    handle("o4", "old", 30, true, 201, "old-4");
    row("u", "old", 30, 201, "old-4", false);
    step("u", "old", 12, null, State.CLAIMED, 0, 20);
    step("u", "old", 15, State.CLAIMED, State.COMPLETED, 20, 20);
    step("u", "old", DEADLINE, State.COMPLETED, State.EXPIRED, 20, 20);
    step("u", "old", 3000 * SECOND, State.EXPIRED, null, 20, 20);
    step("u", "old", 3900 * SECOND, null, State.CLAIMED, 0, 30);
    step("u", "old", 3901 * SECOND, State.CLAIMED, State.COMPLETED, 30, 30);
  }

  History history() {
    return History.of(List.copyOf(attempts), List.copyOf(ledger))
        .withRows(List.copyOf(rows))
        .withJournal(List.copyOf(journal))
        .withBooks(
            List.copyOf(books), Map.of("t", new History.Executions(executedByMetrics - 1, 0)))
        .withCounts(Map.of("kills", new History.Count(kills, 3)));
  }

  void tell(
      String id,
      String tenant,
      String key,
      String payload,
      long from,
      long to,
      Said said,
      int status,
      String digest) {
    told(id, tenant, key, payload, from, to, said, new Answer(status, digest), false);
  }

  private void told(
      String id,
      String tenant,
      String key,
      String payload,
      long from,
      long to,
      Said said,
      Answer answer,
      boolean verdict) {
    long deadline = from < DEADLINE ? DEADLINE : 5 * DEADLINE;
    attempts.removeIf(a -> a.id().equals(id));
    attempts.add(
        new Attempt(
            id,
            tenant,
            key,
            payload,
            from,
            to,
            new Attempt.Reply(
                said,
                answer,
                verdict,
                said.isFinal() ? Optional.of(tenant) : Optional.empty(),
                said.isFinal() ? OptionalLong.of(deadline) : OptionalLong.empty())));
  }

  void handle(String attempt, String key, long token, boolean effect, int status, String digest) {
    ledger.add(
        new LedgerLine(
            attempt,
            key,
            OptionalLong.of(token),
            effect,
            false,
            true,
            new Answer(status, digest),
            effect ? Optional.of(new Answer(201, "probed-" + attempt)) : Optional.empty(),
            ledger.size()));
  }

  void row(String tenant, String key, long token, int status, String digest, boolean verdict) {
    rows.removeIf(r -> r.key().equals(key));
    rows.add(
        new FinalRow(
            key,
            tenant,
            State.COMPLETED,
            token,
            Optional.of(new Answer(status, digest)),
            verdict,
            false));
  }

  void step(String tenant, String key, long at, State from, State to, long before, long token) {
    boolean settled = from == State.COMPLETED || from == State.EXPIRED;
    journal.add(
        new Step(
            key,
            tenant,
            at,
            Optional.ofNullable(from),
            Optional.ofNullable(to),
            before,
            token,
            "f",
            false,
            settled ? 2 * DEADLINE : 0));
  }

  static Book book(String tenant, long claims, long completed, long released) {
    return new Book(tenant, claims, completed, released, 0, 0, completed, 0, 0, null);
  }
}

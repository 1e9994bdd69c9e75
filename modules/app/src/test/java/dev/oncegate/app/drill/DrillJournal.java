package dev.oncegate.app.drill;

import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.history.Answer;
import dev.oncegate.testkit.history.FinalRow;
import dev.oncegate.testkit.history.Step;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes down every step of every record, in the transaction that takes it, by a trigger that only
 * the drills install; reads it, the records and the books.
 */
final class DrillJournal {
  private static final String INSTALL =
      """
      create table drill_journal (
        sequence bigint generated always as identity primary key,
        at timestamptz not null default clock_timestamp(),
        id bytea not null, tenant text not null,
        from_state text, to_state text,
        token_before bigint not null, token bigint not null,
        fingerprint bytea not null, reconstructed boolean not null,
        stranger_from timestamptz);

      create function drill_step() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into drill_journal (id, tenant, from_state, to_state, token_before, token,
              fingerprint, reconstructed)
          values (new.id, new.tenant, null, new.state, 0, new.token,
              new.fingerprint, new.reconstructed);
        elsif tg_op = 'DELETE' then
          insert into drill_journal (id, tenant, from_state, to_state, token_before, token,
              fingerprint, reconstructed, stranger_from)
          values (old.id, old.tenant, old.state, null, old.token, old.token,
              old.fingerprint, old.reconstructed,
              old.completed_at + (old.retention_ms + old.tombstone_ms) * interval '1 ms');
        elsif (old.state, old.token, old.fingerprint, old.status, old.digest, old.completed_at)
            is distinct from
            (new.state, new.token, new.fingerprint, new.status, new.digest, new.completed_at) then
          insert into drill_journal (id, tenant, from_state, to_state, token_before, token,
              fingerprint, reconstructed, stranger_from)
          values (new.id, new.tenant, old.state, new.state, old.token, new.token,
              new.fingerprint, new.reconstructed,
              old.completed_at + (old.retention_ms + old.tombstone_ms) * interval '1 ms');
        end if;
        return null;
      end
      $$;

      create trigger drill_step after insert or update or delete on record
        for each row execute function drill_step();
      """;

  private final TestPostgres.Database database;

  private DrillJournal(TestPostgres.Database database) {
    this.database = database;
  }

  /** On a schema that a gateway has made, before the first claim. */
  static DrillJournal install(TestPostgres.Database database) {
    database.execute(INSTALL);
    return new DrillJournal(database);
  }

  @FunctionalInterface
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> all(String sql, RowReader<T> reader) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(reader.read(rows));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** J, in the order in which it was written; that of one key is the order of its commits. */
  List<Step> steps() {
    return all(
        "select encode(id, 'hex') as id, tenant, from_state, to_state, token_before, token,"
            + " encode(fingerprint, 'hex') as fingerprint, reconstructed,"
            + " (extract(epoch from at) * 1000000)::bigint as at,"
            + " coalesce((extract(epoch from stranger_from) * 1000000)::bigint, 0) as stranger"
            + " from drill_journal order by sequence",
        row ->
            new Step(
                row.getString("id"),
                row.getString("tenant"),
                row.getLong("at"),
                state(row.getString("from_state")),
                state(row.getString("to_state")),
                row.getLong("token_before"),
                row.getLong("token"),
                row.getString("fingerprint"),
                row.getBoolean("reconstructed"),
                row.getLong("stranger")));
  }

  /** D; stored bodies are in clear text in the drills. */
  List<FinalRow> rows() {
    return all(
        "select encode(id, 'hex') as id, tenant, state, token, status, body, reconstructed"
            + " from record",
        row ->
            new FinalRow(
                row.getString("id"),
                row.getString("tenant"),
                state(row.getString("state")).orElseThrow(),
                row.getLong("token"),
                row.getObject("status") == null
                    ? Optional.empty()
                    : Optional.of(answer(row.getInt("status"), row.getBytes("body"))),
                row.getBoolean("reconstructed"),
                row.getString("tenant").equals("held")));
  }

  private static Answer answer(int status, byte[] body) {
    return new Answer(status, body == null ? "" : DrillClients.digest(body));
  }

  List<Book> books() {
    return all(
        "select t.*, r.* from (select tenant, sum(claims) as claims, sum(completed) as completed,"
            + " sum(released) as released from tally group by tenant) t"
            + " cross join lateral (select"
            + " count(*) filter (where state = 'unknown') as unknown,"
            + " count(*) filter (where state = 'claimed') as running"
            + " from record where tenant = t.tenant) r",
        row ->
            new Book(
                row.getString("tenant"),
                row.getLong("claims"),
                row.getLong("completed"),
                row.getLong("released"),
                row.getLong("unknown"),
                row.getLong("running"),
                0,
                0,
                0,
                null));
  }

  /** How many entries of that kind the timelines have. */
  long timeline(String kind) {
    return Long.parseLong(
        database.query("select count(*) from timeline where kind = '" + kind + "'"));
  }

  private static Optional<State> state(String label) {
    return label == null
        ? Optional.empty()
        : Optional.of(State.valueOf(label.toUpperCase(Locale.ROOT)));
  }
}

package dev.oncegate.testkit;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.engine.port.RecordUpkeep.Moved;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What an implementation lends to the suites of upkeep and reading. The store may hold the records
 * of other tests: each test looks at its own.
 */
public interface UpkeepUnderTest extends StoreUnderTest {
  /** The other side of {@link #store}. */
  RecordUpkeep upkeep();

  /** The same records as people see them. */
  RecordReader reader();

  /** A tenant that no other test has. */
  static String anyTenant() {
    return "tenant-" + UUID.randomUUID();
  }

  /** Everything that has lapsed, in batches. */
  default List<Moved> lapseAll() {
    List<Moved> all = new ArrayList<>();
    List<Moved> batch;
    do {
      batch = get(upkeep().lapse(50));
      all.addAll(batch);
    } while (!batch.isEmpty());
    return all;
  }

  /** Everything that is due, in batches. */
  default List<Due> takeAll(Duration hold) {
    List<Due> all = new ArrayList<>();
    List<Due> batch;
    do {
      batch = get(upkeep().take(50, hold));
      all.addAll(batch);
    } while (!batch.isEmpty());
    return all;
  }

  /** Everything that is past its time, in batches; how much. */
  default int purgeAll() {
    return drained(() -> upkeep().expire(50)) + drained(() -> upkeep().forget(50));
  }

  /** How much a bounded step does until there is no more to do. */
  static int drained(Supplier<Future<Integer>> batch) {
    int all = 0;
    int some;
    do {
      some = get(batch.get());
      all += some;
    } while (some > 0);
    return all;
  }

  /** Claims by the built-in times. */
  default FencingToken claimed(RecordId id) {
    return claimed(Records.claim(id));
  }

  /** Claims, and must win. */
  default FencingToken claimed(Claim claim) {
    return ((Won) get(store().claim(claim))).token();
  }

  /** Claims, and says that the outcome cannot be told. */
  default FencingToken unknown(RecordId id) {
    FencingToken token = claimed(id);
    assertThat(get(store().markUnknown(id, token, "reset"))).isInstanceOf(Done.class);
    return token;
  }

  /** As people see it. */
  default Found shown(RecordId id) {
    return get(reader().show("acme", id)).orElseThrow();
  }

  /** What was out of the ordinary. */
  default List<TimelineEntry> timeline(RecordId id) {
    return get(reader().timeline("acme", id));
  }

  /** Its kinds and authors, in order. */
  default List<String> told(RecordId id) {
    return timeline(id).stream().map(entry -> entry.kind().label() + " " + entry.by()).toList();
  }

  /** The book of a tenant that has one. */
  default Book book(String tenant) {
    return get(upkeep().books()).stream()
        .filter(book -> book.tenant().equals(tenant))
        .findFirst()
        .orElseThrow();
  }

  /** What the reconciler writes into a timeline. */
  static List<Note> probed(String text) {
    return List.of(new Note(Kind.PROBED, "reconciler", text));
  }

  /** What a person's verdict writes into a timeline. */
  static List<Note> resolvedBy(String person) {
    return List.of(new Note(Kind.RESOLVED, person, "looked it up"));
  }
}

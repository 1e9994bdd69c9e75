package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.Records.TOMBSTONE;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.Position;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordReader.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What people see of the records. */
public interface ReaderContract extends UpkeepUnderTest {
  @Test
  default void find_byState() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId expired = settled(tenant);
    elapse(RETENTION);
    RecordId lapsed = Records.anyId();
    claimed(claim(tenant, "r", lapsed));
    elapse(LEASE);
    RecordId completed = settled(tenant);
    elapse(Duration.ofSeconds(1));
    RecordId unknown = Records.anyId();
    FencingToken token = claimed(claim(tenant, "r", unknown));
    get(store().markUnknown(unknown, token, "reset by peer"));
    elapse(Duration.ofSeconds(1));
    RecordId claimed = Records.anyId();
    claimed(claim(tenant, "r", claimed));

    assertThat(found(tenant, State.EXPIRED)).containsExactly(expired);
    assertThat(found(tenant, State.COMPLETED)).containsExactly(completed);
    assertThat(found(tenant, State.CLAIMED)).containsExactly(claimed);
    assertThat(found(tenant, State.UNKNOWN)).containsExactly(unknown, lapsed);
    assertThat(found(all(tenant))).containsExactly(claimed, unknown, completed, lapsed, expired);

    purgeAll();
    lapseAll();
    assertThat(found(tenant, State.UNKNOWN)).containsExactly(unknown, lapsed);
    assertThat(found(all(tenant))).containsExactly(claimed, unknown, completed, lapsed, expired);
    elapse(RETENTION.plus(TOMBSTONE));
    assertThat(found(all(tenant))).doesNotContain(expired, completed);
  }

  @Test
  default void find_saysWhyAndWhoIsNext() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = Records.anyId();
    FencingToken token = claimed(claim(tenant, "r", id));
    assertThat(get(reader().show(tenant, id)).orElseThrow())
        .satisfies(
            found -> {
              assertThat(found.record()).isInstanceOf(Claimed.class);
              assertThat(found.unknownReason()).isEmpty();
              assertThat(found.questions()).isZero();
              assertThat(found.waitsForPerson()).isFalse();
            });
    elapse(LEASE);
    assertThat(get(reader().find(all(tenant))).get(0).unknownReason())
        .isEqualTo("the lease lapsed");
    lapseAll();
    Found found = get(reader().find(all(tenant))).get(0);
    assertThat(found.unknownReason()).isEqualTo("the lease lapsed");
    Unknown now = (Unknown) read(id).orElseThrow();
    assertThat(((Unknown) found.record()).since()).isEqualTo(now.since());
    assertThat(found.record().facts().claimId()).isEqualTo(now.facts().claimId());
    assertThat(get(reader().show(tenant, id)).orElseThrow().record()).isEqualTo(now);
    get(store().complete(id, token, Records.answer("a")));
    assertThat(get(reader().find(all(tenant))).get(0).unknownReason()).isEmpty();
  }

  @Test
  default void completedRecord_comesWithoutItsBody() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = settled(tenant);
    Completed shown = (Completed) get(reader().show(tenant, id)).orElseThrow().record();
    Completed record = (Completed) read(id).orElseThrow();
    assertThat(shown.answer().body()).isEqualTo(new StoredBody.NotKept());
    assertThat(shown.answer().status()).isEqualTo(record.answer().status());
    assertThat(shown.completedAt()).isEqualTo(record.completedAt());
    assertThat(shown.facts()).isEqualTo(record.facts());
  }

  @Test
  default void find_byRouteIdAndTime() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId first = Records.anyId();
    claimed(claim(tenant, "charges", first));
    elapse(Duration.ofSeconds(5));
    RecordId second = Records.anyId();
    claimed(claim(tenant, "refunds", second));
    elapse(Duration.ofSeconds(5));
    RecordId third = Records.anyId();
    claimed(claim(tenant, "charges", third));
    Instant middle = read(second).orElseThrow().facts().claimedAt();

    assertThat(found(query(tenant, "charges", null, null, null, 10))).containsExactly(third, first);
    assertThat(found(query(tenant, null, second, null, null, 10))).containsExactly(second);
    assertThat(found(query(tenant, null, null, middle, null, 10))).containsExactly(third, second);
    assertThat(found(query(tenant, null, null, null, middle, 10))).containsExactly(first);
    assertThat(found(query(tenant, null, null, middle, middle, 10))).isEmpty();
    assertThat(found(query(tenant, "refunds", first, null, null, 10))).isEmpty();
    assertThat(found(query(tenant, "no\0route", null, null, null, 10))).isEmpty();
  }

  @Test
  default void pages_areNewestFirstAndMeetNothingTwice() {
    String tenant = UpkeepUnderTest.anyTenant();
    List<RecordId> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      RecordId id = Records.anyId();
      claimed(claim(tenant, "r", id));
      ids.add(0, id);
      if (i % 2 == 1) {
        elapse(Duration.ofSeconds(1));
      }
    }
    List<RecordId> seen = new ArrayList<>();
    Optional<Position> before = Optional.empty();
    List<Found> page;
    do {
      page =
          get(
              reader()
                  .find(
                      new Query(
                          tenant,
                          Optional.of(State.CLAIMED),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          before,
                          3)));
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      page.forEach(found -> seen.add(found.record().facts().id()));
      if (!page.isEmpty()) {
        var last = page.get(page.size() - 1).record().facts();
        before = Optional.of(new Position(last.claimedAt(), last.id()));
      }
    } while (!page.isEmpty());
    assertThat(seen).hasSize(7).containsExactlyInAnyOrderElementsOf(ids).doesNotHaveDuplicates();
    assertThat(seen.get(0)).isEqualTo(ids.get(0));
    assertThat(seen.get(6)).isIn(ids.get(6), ids.get(5));
  }

  @Test
  default void otherTenantsRecords_areNotThere() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = Records.anyId();
    FencingToken token = claimed(claim(tenant, "r", id));
    get(store().markUnknown(id, token, "reset"));
    String other = UpkeepUnderTest.anyTenant();
    assertThat(get(reader().find(all(other)))).isEmpty();
    assertThat(found(query(other, null, id, null, null, 10))).isEmpty();
    assertThat(get(reader().show(other, id))).isEmpty();
    assertThat(get(reader().timeline(other, id))).isEmpty();
    assertThat(get(reader().timeline(tenant, id))).hasSize(1);
  }

  @Test
  default void strangerAndAbsent_areNotShown() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = settled(tenant);
    elapse(RETENTION.plus(TOMBSTONE));
    assertThat(get(reader().show(tenant, id))).isEmpty();
    assertThat(get(reader().show(tenant, Records.anyId()))).isEmpty();
  }

  @Test
  default void timeline_isInOrderAndOutlivesTheRecord() {
    RecordId id = Records.anyId();
    FencingToken first = unknown(id);
    get(store().release(id, first));
    FencingToken second = claimed(id);
    elapse(LEASE);
    lapseAll();
    store().note(id, "acme", first, new Note(Kind.FENCED, "owner", "completed too late"));
    Awaitility.await().until(() -> timeline(id).size() == 3);
    get(store().release(id, second));

    List<TimelineEntry> entries = timeline(id);
    assertThat(entries)
        .extracting(TimelineEntry::kind)
        .containsExactly(Kind.UNKNOWN, Kind.UNKNOWN, Kind.FENCED);
    assertThat(entries).extracting(TimelineEntry::token).containsExactly(first, second, first);
    assertThat(entries)
        .extracting(TimelineEntry::text)
        .containsExactly("reset", "the lease lapsed", "completed too late");
    assertThat(entries).extracting(TimelineEntry::at).isSorted();
    assertThat(read(id)).isEmpty();
  }

  private RecordId settled(String tenant) {
    RecordId id = Records.anyId();
    get(store().complete(id, claimed(claim(tenant, "r", id)), Records.answer("body")));
    return id;
  }

  private static dev.oncegate.core.Claim claim(String tenant, String route, RecordId id) {
    return Records.of(tenant, route, Records.claim(id));
  }

  private static Query all(String tenant) {
    return query(tenant, null, null, null, null, 1000);
  }

  private static Query query(
      String tenant,
      @Nullable String route,
      @Nullable RecordId id,
      @Nullable Instant from,
      @Nullable Instant until,
      int limit) {
    return new Query(
        tenant,
        Optional.empty(),
        Optional.ofNullable(route),
        Optional.ofNullable(id),
        Optional.ofNullable(from),
        Optional.ofNullable(until),
        Optional.empty(),
        limit);
  }

  private List<RecordId> found(String tenant, State state) {
    return found(
        new Query(
            tenant,
            Optional.of(state),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            100));
  }

  private List<RecordId> found(Query query) {
    return get(reader().find(query)).stream().map(found -> found.record().facts().id()).toList();
  }
}

package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.Records.TOMBSTONE;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.Verdict;
import dev.oncegate.core.Verdict.Applied;
import dev.oncegate.core.Verdict.NotApplied;
import dev.oncegate.core.Verdict.Undecided;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The books balance after every step. */
public interface BooksContract extends UpkeepUnderTest {
  @Test
  default void everyStep_isInTheBooks() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId first = Records.anyId();
    FencingToken token = claimed(claim(tenant, first));
    books(tenant, 1, 0, 0, "unknown 0 running 1 live 0 expired 0 waiting 0");
    get(store().claim(claim(tenant, first)));
    get(store().complete(first, token, Records.answer("a")));
    get(store().complete(first, token, Records.answer("a")));
    books(tenant, 1, 1, 0, "unknown 0 running 0 live 1 expired 0 waiting 0");

    RecordId second = Records.anyId();
    get(store().release(second, claimed(claim(tenant, second))));
    books(tenant, 2, 1, 1, "unknown 0 running 0 live 1 expired 0 waiting 0");
    token = claimed(claim(tenant, second));
    get(store().markUnknown(second, token, "reset"));
    books(tenant, 3, 1, 1, "unknown 1 running 0 live 1 expired 0 waiting 0");
    resolve(second, token, new Undecided(Optional.empty()));
    books(tenant, 3, 1, 1, "unknown 1 running 0 live 1 expired 0 waiting 1");
    resolve(second, token, new NotApplied(Instant.parse("2020-01-01T00:00:00Z"), RETENTION));
    resolve(second, token, new Applied(Records.answer("b")));
    resolve(second, token, new Applied(Records.answer("b")));
    books(tenant, 3, 2, 1, "unknown 0 running 0 live 2 expired 0 waiting 0");

    elapse(RETENTION);
    UpkeepUnderTest.drained(() -> upkeep().expire(50));
    books(tenant, 3, 2, 1, "unknown 0 running 0 live 0 expired 2 waiting 0");
    elapse(TOMBSTONE);
    claimed(claim(tenant, first));
    books(tenant, 4, 2, 1, "unknown 0 running 1 live 0 expired 1 waiting 0");
    UpkeepUnderTest.drained(() -> upkeep().forget(50));
    books(tenant, 4, 2, 1, "unknown 0 running 1 live 0 expired 0 waiting 0");
  }

  @Test
  default void lapsedClaimThatAVerdictReleases_isReleased() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = Records.anyId();
    FencingToken token = claimed(claim(tenant, id));
    elapse(LEASE);
    assertThat(book(tenant).imbalance()).isZero();
    lapseAll();
    books(tenant, 1, 0, 0, "unknown 1 running 0 live 0 expired 0 waiting 0");
    resolve(id, token, new NotApplied(Instant.parse("2200-01-01T00:00:00Z"), Duration.ZERO));
    books(tenant, 1, 0, 1, "unknown 0 running 0 live 0 expired 0 waiting 0");
  }

  @Test
  default void strangerReclaimedBeforeAnySweep_leavesTheBooksRight() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = Records.anyId();
    get(store().complete(id, claimed(claim(tenant, id)), Records.answer("a")));
    elapse(RETENTION.plus(TOMBSTONE));
    claimed(claim(tenant, id));
    books(tenant, 2, 1, 0, "unknown 0 running 1 live 0 expired 0 waiting 0");
  }

  @Test
  default void oldestUnknown_isItsAge() {
    String tenant = UpkeepUnderTest.anyTenant();
    assertThat(get(upkeep().books())).noneMatch(book -> book.tenant().equals(tenant));
    RecordId id = Records.anyId();
    FencingToken token = claimed(claim(tenant, id));
    assertThat(book(tenant).oldestUnknown()).isNull();
    get(store().markUnknown(id, token, "reset"));
    elapse(Duration.ofHours(3));
    RecordId later = Records.anyId();
    get(store().markUnknown(later, claimed(claim(tenant, later)), "reset"));
    assertThat(book(tenant).oldestUnknown())
        .isBetween(Duration.ofHours(3), Duration.ofHours(3).plusMinutes(1));
  }

  private static dev.oncegate.core.Claim claim(String tenant, RecordId id) {
    return Records.of(tenant, "charges", Records.claim(id));
  }

  private void resolve(RecordId id, FencingToken token, Verdict verdict) {
    get(upkeep().resolve(id, token, verdict, List.of()));
  }

  private void books(String tenant, long claims, long completed, long released, String rest) {
    Book book = book(tenant);
    assertThat(List.of(book.claims(), book.completed(), book.released()))
        .isEqualTo(List.of(claims, completed, released));
    assertThat(
            "unknown %d running %d live %d expired %d waiting %d"
                .formatted(
                    book.unknown(), book.running(), book.live(), book.expired(), book.waiting()))
        .isEqualTo(rest);
    assertThat(book.imbalance()).isZero();
  }
}

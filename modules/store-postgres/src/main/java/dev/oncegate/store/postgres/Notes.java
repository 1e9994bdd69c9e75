package dev.oncegate.store.postgres;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TimelineEntry.Note;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into timelines what changes no record. Nobody waits for it, and nothing waits behind it:
 * beyond a few at a time, and where Postgres is away, a note is lost.
 */
final class Notes {
  private static final Logger LOG = LoggerFactory.getLogger(Notes.class);

  /** A small part of the lane's queue, which belongs to owners that settle. */
  private static final int MOST_WAITING = 64;

  static final String NOTE =
      """
      insert into timeline (id, tenant, token, at, kind, by_whom, said)
      values ($1, $2, $3, clock_timestamp(), $4, $5, $6)
      """;

  private final Lane lane;
  private final Duration patience;
  private final LongSupplier nanos;
  private int waiting;

  Notes(Lane lane, Duration patience, LongSupplier nanos) {
    this.lane = lane;
    this.patience = patience;
    this.nanos = nanos;
  }

  void add(RecordId id, String tenant, FencingToken token, Note note) {
    if (waiting >= MOST_WAITING) {
      LOG.debug("record {}: too many notes, this one is lost", id.prefix());
      return;
    }
    waiting++;
    lane.ask(
            NOTE,
            Tuple.of(
                ClaimSql.buffer(id.digest().array()),
                Texts.storable(tenant),
                token.value(),
                note.kind().label(),
                Texts.bounded(note.by()),
                Texts.bounded(note.text())),
            nanos.getAsLong() + patience.toNanos())
        .onComplete(
            written -> {
              waiting--;
              if (written.failed()) {
                LOG.debug("record {}: a note is lost: {}", id.prefix(), written.cause().toString());
              }
            });
  }
}

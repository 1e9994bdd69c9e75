package dev.oncegate.store.postgres;

import org.jspecify.annotations.Nullable;

/** Why a lane has no answer; what Postgres itself answers stays a {@code PgException}. */
abstract sealed class LaneFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private LaneFailure(String what, @Nullable Throwable cause) {
    // Without a stack trace: in an outage these are made by the thousand.
    super(what, cause, false, false);
  }

  /** No byte of the statement was sent. */
  static final class NotAsked extends LaneFailure {
    private static final long serialVersionUID = 1L;

    NotAsked(String what, @Nullable Throwable cause) {
      super(what, cause);
    }
  }

  /** It was sent and its answer never came: it may have been done. */
  static final class Lost extends LaneFailure {
    private static final long serialVersionUID = 1L;

    Lost(String what, @Nullable Throwable cause) {
      super(what, cause);
    }
  }
}

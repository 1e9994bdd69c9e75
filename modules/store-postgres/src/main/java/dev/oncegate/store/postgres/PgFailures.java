package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.engine.port.RecordStore.RecordDamaged;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import io.vertx.pgclient.PgException;
import java.util.List;

/** What a failed statement means: SQLSTATE → ask again, refuse, or broken. */
final class PgFailures {
  /**
   * Classes of trouble that no single row makes: connections, rights, transactions that are not
   * allowed to write, resources, schema, the operator, the machine.
   */
  private static final List<String> SERVER_WIDE =
      List.of("08", "25", "28", "3D", "42", "53", "57", "58");

  private PgFailures() {}

  /** It may or may not have been done; or it surely was not, but may be next time. */
  static boolean worthAskingAgain(Throwable failure) {
    if (failure instanceof LaneFailure.Lost || failure instanceof AskAgain) {
      return true;
    }
    if (!(failure instanceof PgException refused)) {
      return false;
    }
    String state = refused.getSqlState();
    return switch (state) {
      case
          // A rival has not committed yet.
          "55P03",
          // Another transaction was given precedence.
          "40001",
          "40P01",
          // Somebody else cancelled it, or the server stops: the next connection will tell.
          "57014",
          "57P01",
          "57P02",
          "57P03" ->
          true;
      default -> state.startsWith("08");
    };
  }

  /** A rival has not committed in time. */
  static boolean isLockTimeout(Throwable failure) {
    return failure instanceof PgException refused && "55P03".equals(refused.getSqlState());
  }

  /**
   * Whether a refused statement of several rows may have been refused for one of them: then the
   * others are well, alone. What a server says of itself holds for all.
   */
  static boolean mayBeOneRows(Throwable failure) {
    if (!(failure instanceof PgException refused)) {
      return false;
    }
    String state = refused.getSqlState();
    return !spoilsConnection(failure) && SERVER_WIDE.stream().noneMatch(state::startsWith);
  }

  /** The connection is of no use any more, although it still answers. */
  static boolean spoilsConnection(Throwable failure) {
    if (!(failure instanceof PgException refused)) {
      return true;
    }
    return switch (refused.getSqlState()) {
      // A standby, or a primary that became read-only: the name may lead to a primary next time.
      case "25006", "55000" -> true;
      // The statement's cached plan no longer fits the table or is gone.
      case "0A000", "26000" -> true;
      default -> refused.getSqlState().startsWith("57P");
    };
  }

  /** What the port promises in its place. Texts carry no parameter: they end up in logs. */
  static Throwable translated(Throwable failure) {
    if (failure instanceof StoreUnavailable
        || failure instanceof RecordDamaged
        || failure instanceof BrokenInvariant) {
      return failure;
    }
    if (failure instanceof PgException refused) {
      String state = refused.getSqlState();
      // Integrity (23) and data (22) errors say that we asked for something that must never be.
      return state.startsWith("23") || state.startsWith("22")
          ? new BrokenInvariant(
              "the database refused a write: SQLSTATE " + state + " " + refused.getConstraint())
          : new StoreUnavailable("Postgres says " + state, withoutDetail(refused));
    }
    if (failure instanceof LaneFailure || failure instanceof AskAgain) {
      return new StoreUnavailable(String.valueOf(failure.getMessage()), failure);
    }
    return failure;
  }

  /** {@link #translated}, where the port knows nothing but this and what is broken. */
  static Throwable unavailable(Throwable failure) {
    Throwable translated = translated(failure);
    return translated instanceof StoreUnavailable || translated instanceof BrokenInvariant
        ? translated
        : new StoreUnavailable("Postgres cannot be asked", translated);
  }

  /** The same failure without the row or key that a detail may quote. */
  private static Throwable withoutDetail(PgException refused) {
    return new PgException(
        refused.getErrorMessage(), refused.getSeverity(), refused.getSqlState(), null);
  }

  /** The statement was answered, and the answer is that things are moving: ask the same again. */
  static final class AskAgain extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AskAgain(String why) {
      super(why, null, false, false);
    }
  }
}

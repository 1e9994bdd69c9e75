package dev.oncegate.engine.port;

import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.IdempotencyStatus;
import java.time.Duration;
import java.util.Locale;

/** What happened, for metrics and logs. Implementations never throw and never block. */
public interface EngineEvents {
  /**
   * Stands for a tenant or route that is not known (contract §9: labels come from configuration).
   */
  String NONE = "none";

  /** A request got its answer; counted once per request. */
  default void answered(String tenant, String route, IdempotencyStatus status) {}

  /** A request waits for another one's outcome, until {@link #woken} or {@link #left}. */
  default void parked(String tenant) {}

  /** A waiting request gets its answer. */
  default void woken(String tenant, WokenBy by, Duration waited) {}

  /** A waiting request's client has gone. */
  default void left(String tenant) {}

  /** What ended a wait (contract §9). */
  enum WokenBy {
    /** The winner ran in this process. */
    LOCAL,
    /** A message of another process. */
    BUS,
    /** A look into the store of the waiter's own. */
    POLL,
    /** Its limit, or the end of this process. */
    TIMEOUT;

    /** The metric's label value. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A body was fingerprinted by its raw bytes. */
  default void fingerprintFallback(String tenant, String route, FallbackReason reason) {}

  /** A late owner's write was refused. */
  default void staleCompletion(String tenant, String route, RecordId id) {}

  /** A record turned unknown by its owner's word. */
  default void markedUnknown(String tenant, String route, RecordId id, String reason) {}

  /** A stored record cannot be served: an alarm. */
  default void recordDamaged(String tenant, String route, RecordId id, String what) {}

  /** The store could not be used for {@code operation}. */
  default void storeFailed(String operation, Throwable cause) {}

  /** Something that cannot be, is: an alarm. */
  default void broken(String tenant, String route, Throwable cause) {}

  /**
   * A tenant's API was asked about an unknown outcome; counted once per question.
   *
   * @param verdict {@code applied}, {@code not_applied}, {@code undecided} or {@code no_answer}
   */
  default void probed(String tenant, String route, RecordId id, String verdict) {}

  /**
   * A batch of upkeep was committed.
   *
   * @param action {@code lapsed}, {@code expired} or {@code forgotten}
   * @param count rows that it changed; 0 is told as well
   */
  default void swept(String action, int count) {}

  /** Nobody will ask about an unknown outcome any more; a person has to decide: an alarm. */
  default void gaveUp(String tenant, String route, RecordId id) {}

  /**
   * A verdict completed or released an unknown record.
   *
   * @param by {@code reconciler}, {@code policy} or a person's name
   * @param verdict {@code applied} or {@code not_applied}
   */
  default void resolved(String tenant, String route, RecordId id, String by, String verdict) {}

  /**
   * The books of a tenant were read; told at every reading, so that the alarm can end.
   *
   * @param difference claims that nobody accounts for; 0 where the books balance
   */
  default void imbalance(String tenant, long difference) {}
}

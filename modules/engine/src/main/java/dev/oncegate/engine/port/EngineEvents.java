package dev.oncegate.engine.port;

import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.IdempotencyStatus;

/** What happened, for metrics and logs. Implementations never throw and never block. */
public interface EngineEvents {
  /**
   * Stands for a tenant or route that is not known (contract §9: labels come from configuration).
   */
  String NONE = "none";

  /** A request got its answer; counted once per request. */
  default void answered(String tenant, String route, IdempotencyStatus status) {}

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
}

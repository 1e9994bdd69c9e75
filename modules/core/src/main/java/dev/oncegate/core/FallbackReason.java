package dev.oncegate.core;

import java.util.Locale;

/**
 * Why a body was fingerprinted by its raw bytes; a label of the fallback counter (contract §10).
 */
public enum FallbackReason {
  INVALID,
  DUPLICATE_MEMBER,
  LIMITS,
  EMPTY_PROJECTION,
  NOT_JSON;

  /** The label value. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.oncegate.core;

/** What an answered status means under a route. */
public enum Outcome {
  /** Final: stored and replayed. */
  TERMINAL,
  /** An answered refusal for now: passed through, the claim is released. */
  TRANSIENT,
  /** Passed through, but the effect may exist: the record becomes unknown. */
  AMBIGUOUS
}

package dev.oncegate.testkit.history;

/** What can be wrong with a history (reliability §6). C11, waiting, comes with the waiters. */
public enum Check {
  C1_DUPLICATE,
  C2_PHANTOM,
  C3_DIVERGENT,
  C4_WRONG_WINNER,
  C5_FALSE_NOT_EXECUTED,
  C6_LOST,
  C7_MISMATCH_EXECUTED,
  C8_SCOPE,
  C9_TOKENS,
  C10_DEADLINE,
  C12_VACUITY,
  C13_TRIAL_BALANCE
}

package dev.oncegate.core;

/** Something that cannot be, is. Fails the request as {@code internal-error}, settles nothing. */
public final class BrokenInvariant extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BrokenInvariant(String what) {
    super(what);
  }

  /** Throws unless {@code holds}; used as an assertion that stays on in production. */
  public static void require(boolean holds, String what) {
    if (!holds) {
      throw new BrokenInvariant(what);
    }
  }
}

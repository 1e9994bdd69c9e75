package dev.oncegate.tenants;

/** Check 27, first half: the sizes of what is kept of an answer are ordered. */
final class CaptureChecks {
  private static final String INLINE = "/capture/inline";
  private static final String MAX = "/capture/max";

  private CaptureChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    if (merged.size(INLINE) <= merged.size(MAX)) {
      return;
    }
    boolean blameInline = merged.isStronger(INLINE, MAX);
    String blamed = blameInline ? INLINE : MAX;
    String other = blameInline ? MAX : INLINE;
    Position at = merged.written(blamed).value();
    String comparison = blameInline ? " is more than capture." : " is less than capture.";
    findings.error(
        at,
        merged.where(blamed),
        merged.text(blamed)
            + comparison
            + Pointers.name(other)
            + " "
            + merged.text(other)
            + " "
            + merged.written(other).place(at)
            + "; use "
            + merged.text(other)
            + (blameInline ? " or less" : " or more")
            + ", or add \""
            + Pointers.name(other)
            + ": "
            + merged.text(blamed)
            + "\"");
  }
}

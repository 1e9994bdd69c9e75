package dev.oncegate.core;

import java.util.Map;
import java.util.Optional;

/**
 * Takes fingerprints: keyed digests of canonical projections. Records made under an older form of
 * the projection live on beside new ones (contract §7), so every form is kept until no record names
 * it any more. A new form is shipped one release before it becomes the current one, or nodes that
 * do not know it yet would meet its records.
 */
public final class Fingerprints {
  private final int current;
  private final Map<Integer, Form> forms;

  /**
   * Fingerprints of several forms.
   *
   * @param current the form that new records get; one of {@code forms}
   * @param forms by version, from 1
   */
  public Fingerprints(int current, Map<Integer, Form> forms) {
    BrokenInvariant.require(forms.containsKey(current), "the current form is one of the forms");
    this.current = current;
    this.forms = Map.copyOf(forms);
  }

  /** The forms of this release. */
  public static Fingerprints production() {
    return new Fingerprints(
        CanonicalProjection.VERSION, Map.of(CanonicalProjection.VERSION, CanonicalProjection::of));
  }

  /** One form of the projection: which bytes a fingerprint is taken over. */
  @FunctionalInterface
  public interface Form {
    CanonicalProjection.Projected project(FingerprintPolicy policy, FingerprintInput input);
  }

  /**
   * A fingerprint, and why the body was taken by its raw bytes where it was (a counter, not an
   * error).
   */
  public record Taken(Fingerprint fingerprint, Optional<FallbackReason> fallback) {}

  /** The form that new records get. */
  public int current() {
    return current;
  }

  /**
   * The fingerprint of a request in the current form.
   *
   * @param key the tenant's fingerprint key, 32 bytes
   */
  public Taken take(byte[] key, FingerprintPolicy policy, FingerprintInput input) {
    return take(current, key, policy, input)
        .orElseThrow(() -> new BrokenInvariant("the current form is known"));
  }

  /**
   * The fingerprint of a request in the form of a record.
   *
   * @return empty where this release does not know the form: then nothing can be said of the record
   */
  public Optional<Taken> take(
      int version, byte[] key, FingerprintPolicy policy, FingerprintInput input) {
    return Optional.ofNullable(forms.get(version))
        .map(
            form -> {
              CanonicalProjection.Projected projected = form.project(policy, input);
              Bytes digest = Bytes.wrap(Hkdf.hmac(key, projected.bytes().array()));
              return new Taken(new Fingerprint(version, digest), projected.fallback());
            });
  }
}

package dev.oncegate.tenants;

import dev.oncegate.core.Bytes;
import java.util.Map;
import java.util.Optional;

/**
 * Secrets that policies name by reference, as they were when the file was read: keys of derivation
 * and headers of probes. Held in memory, so that a request need not wait for them.
 */
public final class KeptSecrets {
  /** No secrets. */
  public static final KeptSecrets NONE = new KeptSecrets(Map.of());

  private final Map<String, Bytes> byReference;

  KeptSecrets(Map<String, Bytes> byReference) {
    this.byReference = Map.copyOf(byReference);
  }

  /** A secret exactly as it is kept, line ends included; empty where the file does not name it. */
  public Optional<Bytes> bytes(String reference) {
    return Optional.ofNullable(byReference.get(reference));
  }

  @Override
  public String toString() {
    return "KeptSecrets[hidden]";
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.Hkdf;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of all tenants, derived from the installation secret (HKDF with the tenant's id,
 * contract §10). Previous secrets keep older records readable and comparable: each record names its
 * secret.
 */
public final class KeyRing {
  /** Least length of an installation secret, in bytes. */
  public static final int LEAST_SECRET = 32;

  private final Secret current;
  private final Map<String, Secret> secrets;
  private final Map<String, TenantKeys> derived = new ConcurrentHashMap<>();

  public KeyRing(Secret current, List<Secret> previous) {
    this.current = current;
    this.secrets =
        Stream.concat(Stream.of(current), previous.stream())
            .collect(Collectors.toMap(Secret::id, Function.identity(), (first, same) -> first));
  }

  /** An installation secret and the id by which records name it. */
  public record Secret(String id, Bytes bytes) {
    /** The id is derived from the bytes, so that it need not be configured. */
    public static Secret of(byte[] bytes) {
      BrokenInvariant.require(bytes.length >= LEAST_SECRET, "a secret has at least 32 bytes");
      Bytes tag = Bytes.wrap(Hkdf.derive(bytes, "", "oncegate secret id"));
      return new Secret(tag.hex().substring(0, 16), Bytes.wrap(bytes.clone()));
    }
  }

  /** One tenant's keys under one secret, 32 bytes each. */
  public record TenantKeys(Bytes fingerprint, Bytes answers, Bytes principal, Bytes upstream) {}

  /** The secret that new records name. */
  public String currentId() {
    return current.id();
  }

  /** A tenant's keys under the current secret. */
  public TenantKeys keys(String tenant) {
    return derive(tenant, current);
  }

  /** A tenant's keys under the secret that a record names; null where that secret is not known. */
  public @Nullable TenantKeys keys(String tenant, String secretId) {
    Secret secret = secrets.get(secretId);
    return secret == null ? null : derive(tenant, secret);
  }

  private TenantKeys derive(String tenant, Secret secret) {
    return derived.computeIfAbsent(
        secret.id() + '/' + tenant,
        unused ->
            new TenantKeys(
                key(secret, tenant, "oncegate fingerprint"),
                key(secret, tenant, "oncegate stored answers"),
                key(secret, tenant, "oncegate principal"),
                key(secret, tenant, "oncegate upstream key")));
  }

  private static Bytes key(Secret secret, String tenant, String purpose) {
    return Bytes.wrap(Hkdf.derive(secret.bytes().array(), tenant, purpose));
  }
}

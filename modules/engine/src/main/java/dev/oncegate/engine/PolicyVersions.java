package dev.oncegate.engine;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.PolicyArchive;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The policies that live records may name, looked up without waiting: a record is compared in the
 * middle of a claim, where nothing can be fetched. A version that is not at hand fails the claim,
 * is fetched from the archive, and the same claim is asked once more. Shared by all event loops.
 */
public final class PolicyVersions {
  /**
   * How many versions of the past are held at a time; far more than a file has routes, and one that
   * was let go is only fetched again.
   */
  private static final int MOST_PAST = 1_000;

  /** A policy and a fingerprint. */
  private static final int MOST_BROUGHT = 2;

  private final PolicyArchive archive;
  private final Decoder decoder;
  private final Map<String, RoutePolicy.Protocol> past = new ConcurrentHashMap<>();
  private volatile Map<String, RoutePolicy.Protocol> current = Map.of();

  public PolicyVersions(PolicyArchive archive, Decoder decoder) {
    this.archive = archive;
    this.decoder = decoder;
  }

  /** Reads what the archive keeps. */
  @FunctionalInterface
  public interface Decoder {
    /**
     * The policy in a document.
     *
     * @throws RuntimeException where the document cannot be read
     */
    RoutePolicy.Protocol decode(String version, String document);
  }

  /** The tenants that are served from now on. Those before stay at hand. */
  public void serve(List<TenantPolicy> tenants) {
    Map<String, RoutePolicy.Protocol> served = new HashMap<>();
    for (TenantPolicy tenant : tenants) {
      for (RoutePolicy route : tenant.routes()) {
        served.put(route.protocol().version(), route.protocol());
      }
    }
    keep(current);
    current = Map.copyOf(served);
  }

  /**
   * The policy of a version.
   *
   * @throws NotAtHand where it has to be fetched first
   */
  public RoutePolicy.Protocol of(String version) {
    RoutePolicy.@Nullable Protocol known = current.get(version);
    if (known == null) {
      known = past.get(version);
    }
    if (known == null) {
      throw new NotAtHand("policy " + version + " is not at hand", () -> fetch(version));
    }
    return known;
  }

  /**
   * Asks, and again after what was not at hand has been brought: the policy, then, of a large body,
   * the fingerprint under it. A version that the archive does not have, or not readably, leaves a
   * record that can be called neither the same nor another request: it is damaged.
   */
  <T> Future<T> asking(Supplier<Future<T>> ask) {
    return asking(ask, MOST_BROUGHT);
  }

  private <T> Future<T> asking(Supplier<Future<T>> ask, int more) {
    return Future.<Void>succeededFuture()
        .compose(go -> ask.get())
        .recover(
            failure -> {
              if (!(failure instanceof NotAtHand missing)) {
                return Future.failedFuture(failure);
              }
              return more == 0
                  // Between the asks the key was released and claimed under yet another policy.
                  ? Future.failedFuture(
                      new RecordStore.StoreUnavailable("the record changed meanwhile", failure))
                  : missing.provide().compose(brought -> asking(ask, more - 1));
            });
  }

  private Future<Void> fetch(String version) {
    return archive
        .find(version)
        .map(
            found -> {
              String document =
                  found.orElseThrow(
                      () -> new RecordStore.RecordDamaged("its policy is not in the archive"));
              keep(Map.of(version, decode(version, document)));
              return null;
            });
  }

  private RoutePolicy.Protocol decode(String version, String document) {
    try {
      return decoder.decode(version, document);
    } catch (RuntimeException e) {
      RecordStore.RecordDamaged damaged =
          new RecordStore.RecordDamaged("its policy in the archive cannot be read");
      damaged.initCause(e);
      throw damaged;
    }
  }

  private void keep(Map<String, RoutePolicy.Protocol> versions) {
    if (past.size() + versions.size() > MOST_PAST) {
      past.clear();
    }
    past.putAll(versions);
  }
}

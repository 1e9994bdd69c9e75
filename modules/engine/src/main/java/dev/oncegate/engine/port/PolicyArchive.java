package dev.oncegate.engine.port;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Policies by version, kept as long as a record may name them, so that a live record is judged by
 * the one that it was claimed under, also after a restart with a changed file (contract §7). Only
 * ever added to: a version names one content for ever.
 *
 * <p>Futures fail with {@link RecordStore.StoreUnavailable} where nothing can be said, and complete
 * on the calling Vert.x context.
 */
public interface PolicyArchive {
  /**
   * Keeps policies; durable once it succeeds, which must be before the first claim under them. One
   * that is there already is left as it is.
   */
  Future<Void> remember(List<ArchivedPolicy> policies);

  /** The document of a version; empty where none was kept. */
  Future<Optional<String>> find(String version);

  /**
   * A route's policy on its way into the archive.
   *
   * @param version hash of what the policy means; two routes may share one
   * @param document JSON that tells all of the policy, without a secret
   */
  record ArchivedPolicy(String version, String tenant, String route, String document) {}
}

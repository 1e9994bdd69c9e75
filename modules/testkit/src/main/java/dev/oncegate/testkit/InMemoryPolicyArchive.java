package dev.oncegate.testkit;

import dev.oncegate.engine.port.PolicyArchive;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The reference archive: what was remembered first under a version stays. */
public final class InMemoryPolicyArchive implements PolicyArchive {
  private final Map<String, String> documents = new ConcurrentHashMap<>();
  private final AtomicInteger finds = new AtomicInteger();

  @Override
  public Future<Void> remember(List<ArchivedPolicy> policies) {
    policies.forEach(policy -> documents.putIfAbsent(policy.version(), policy.document()));
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<String>> find(String version) {
    finds.incrementAndGet();
    return Future.succeededFuture(Optional.ofNullable(documents.get(version)));
  }

  /** How often a version was asked for. */
  public int finds() {
    return finds.get();
  }
}

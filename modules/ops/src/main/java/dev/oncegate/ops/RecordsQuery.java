package dev.oncegate.ops;

import dev.oncegate.core.RecordId;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordReader.State;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The query of {@code GET …/records}: filters, a page, and a client's key in its scope. */
final class RecordsQuery {
  static final int MOST = 1000;
  static final int USUAL = 100;

  private static final Set<String> KNOWN =
      Set.of("state", "route", "key", "principal", "claimedFrom", "claimedUntil", "limit", "after");

  private RecordsQuery() {}

  /**
   * Reads it.
   *
   * @param tenant the policy as it stands; empty for a tenant that was removed and still has
   *     records
   */
  static Query parse(String id, Optional<TenantPolicy> tenant, MultiMap query) {
    Parameters given = Parameters.of(query, KNOWN);
    Optional<String> route = given.filled("route");
    return new Query(
        id,
        given
            .text("state")
            .map(text -> Parameters.oneOf("state", text, List.of(State.values()), State::label)),
        route,
        recordId(id, tenant, route, given),
        given.time("claimedFrom"),
        given.time("claimedUntil"),
        given.text("after").map(Cursor::parse),
        given.number("limit", 1, MOST, USUAL));
  }

  private static Optional<RecordId> recordId(
      String tenant, Optional<TenantPolicy> policy, Optional<String> route, Parameters given) {
    Optional<String> key = given.text("key");
    if (key.isEmpty()) {
      if (given.text("principal").isPresent()) {
        // Stored is only a digest of scope and key together.
        throw Parameters.bad("principal", "needs 'key' and 'route' beside it");
      }
      return Optional.empty();
    }
    if (route.isEmpty()) {
      throw Parameters.bad("route", "is missing: a key is unique within its route");
    }
    Scope scope = new Scope(tenant, route.get(), principal(policy, given));
    return Optional.of(RecordId.of(scope, KeyText.parse(key.get())));
  }

  private static String principal(Optional<TenantPolicy> policy, Parameters given) {
    Optional<String> said = given.text("principal");
    boolean shared =
        policy.isPresent() && policy.get().principal() == TenantPolicy.Principal.SHARED;
    if (shared) {
      if (said.isPresent() && !said.get().equals(Scope.SHARED)) {
        throw Parameters.bad("principal", "does not count: the tenant's key space is shared");
      }
      return Scope.SHARED;
    }
    return said.filter(name -> policy.isEmpty() || !name.isEmpty())
        .orElseThrow(
            () ->
                Parameters.bad(
                    "principal",
                    policy.isPresent()
                        ? "is missing: the tenant's keys belong to API keys, by their id"
                        : "is missing: the tenant is not configured any more; empty if it was"
                            + " shared"));
  }
}

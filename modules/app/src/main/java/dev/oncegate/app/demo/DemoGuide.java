package dev.oncegate.app.demo;

import dev.oncegate.app.Gateway;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lines to paste that tell the demo's story on the ports that were really taken. */
final class DemoGuide {
  private static final String CHARGES = "/charges";

  private DemoGuide() {}

  /**
   * The lines; none where no tenant has an open charges route, as in a file of someone's own.
   *
   * @param key a fresh one: the records of earlier demos are still there
   */
  static List<String> lines(List<TenantPolicy> tenants, Gateway gateway, String key) {
    return tenants.stream()
        .filter(DemoGuide::keyedCharges)
        .flatMap(
            tenant -> prefix(tenant).map(prefix -> story(tenant, prefix, gateway, key)).stream())
        .findFirst()
        .orElse(List.of());
  }

  private static List<String> story(
      TenantPolicy tenant, String prefix, Gateway gateway, String key) {
    List<String> lines = new ArrayList<>(lines("http://" + gateway.address() + prefix, key));
    lines.add("# what is stored of it, as an operator sees it");
    lines.add(
        "./oncegate records find --tenant %s --ops http://%s%s"
            .formatted(
                tenant.id(),
                gateway.ops(),
                gateway.madeToken().map(token -> " --token " + token).orElse("")));
    lines.add("");
    return lines;
  }

  private static List<String> lines(String base, String key) {
    return List.of(
        "",
        "# a first request: 201, Idempotency-Status: executed",
        charge(base, key, 500),
        "# the same again: the same 201 and bytes, Idempotency-Replayed: true",
        charge(base, key, 500),
        "# the same key for another payload: 422, key-reused",
        charge(base, key, 700),
        "# no key: 400, key-missing",
        "curl -i "
            + base
            + CHARGES
            + " -H 'Content-Type: application/json' -d '{\"amount\":500,\"currency\":\"EUR\"}'",
        "# two at the same time: one is executed, the other waits for its answer and gets it too",
        "%s & %s; wait".formatted(slow(base, key), slow(base, key)),
        "# what really happened: one effect per key",
        "curl " + base + "/ledger");
  }

  private static String charge(String base, String key, int amount) {
    return "curl -i %s%s -H 'Idempotency-Key: %s' -H 'Content-Type: application/json' -d '%s'"
        .formatted(base, CHARGES, key, "{\"amount\":" + amount + ",\"currency\":\"EUR\"}");
  }

  /** The sample ledger takes its time. */
  private static String slow(String base, String key) {
    return charge(base, key + "-b", 500) + " -H 'X-Ledger: slow'";
  }

  private static boolean keyedCharges(TenantPolicy tenant) {
    return tenant.routes().stream()
        .anyMatch(
            route ->
                route.id().equals("create-charge")
                    && route.mode() == RoutePolicy.Mode.IDEMPOTENCY_KEY);
  }

  private static Optional<String> prefix(TenantPolicy tenant) {
    return tenant.matches().stream()
        .filter(match -> match.apiKey().isEmpty() && match.host().isEmpty())
        .flatMap(match -> match.pathPrefix().stream())
        .findFirst();
  }
}

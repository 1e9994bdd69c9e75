package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.TenantPolicy;
import java.util.Optional;

/** Checks 27 and 28 on limits: they fit together, and what is stored fits into them. */
final class QuotaChecks {
  private static final String PER_KEY = "/park/maxWaitersPerKey";
  private static final String PER_TENANT = "/park/maxWaitersPerTenant";
  private static final String MAX = "/capture/max";

  private final YamlTree main;
  private final ReadTenant tenant;
  private final Findings findings;

  private QuotaChecks(YamlTree main, ReadTenant tenant, Findings findings) {
    this.main = main;
    this.tenant = tenant;
    this.findings = findings;
  }

  static void check(YamlTree main, ReadTenant tenant, Findings findings) {
    QuotaChecks checks = new QuotaChecks(main, tenant, findings);
    checks.burst();
    checks.inFlight();
    for (ReadRoute route : tenant.protectedRoutes()) {
      checks.waiters(route.merged());
      checks.stored(route.merged());
    }
  }

  /** A quota of the tenant, or else of the file's defaults. */
  private Optional<Merged.Source> quota(String name) {
    String own = tenant.pointer() + "/quotas/" + name;
    if (!tenant.file().at(own).isMissingNode()) {
      return Optional.of(new Merged.Source(Merged.Level.TENANT, tenant.file(), own));
    }
    String common = "/defaults/quotas/" + name;
    return main.at(common).isMissingNode()
        ? Optional.empty()
        : Optional.of(new Merged.Source(Merged.Level.FILE, main, common));
  }

  private static JsonNode value(Merged.Source source) {
    return source.tree().at(source.pointer());
  }

  private static String where(Merged.Source source) {
    return source.tree().where(source.pointer());
  }

  private void burst() {
    Optional<Merged.Source> burst = quota("burst");
    if (burst.isPresent() && quota("ratePerSecond").isEmpty()) {
      findings.error(
          burst.get().key(),
          where(burst.get()),
          "a burst of no rate is never used; add ratePerSecond, or drop burst");
    }
  }

  private void inFlight() {
    Optional<Merged.Source> quota = quota("maxInFlight");
    JsonNode pool = tenant.node().path("upstream").path("pool");
    if (quota.isEmpty() || pool.path("http2").asBoolean()) {
      return;
    }
    TenantPolicy.Pool builtIn = TenantPolicy.Pool.BUILT_IN;
    int connections = pool.path("maxConnections").asInt(builtIn.maxConnections());
    int queue = pool.path("maxWaitQueue").asInt(builtIn.maxWaitQueue());
    int most = value(quota.get()).asInt();
    if (most <= connections + queue) {
      return;
    }
    Position at = quota.get().value();
    boolean ofFile = quota.get().level() == Merged.Level.FILE;
    findings.warning(
        at,
        where(quota.get()),
        most
            + " is more than maxConnections "
            + connections
            + " + maxWaitQueue "
            + queue
            + (ofFile ? " of " + tenant.id() : "")
            + " ("
            + (pool.isMissingNode()
                ? "built-in"
                : tenant.file().key(tenant.pointer() + "/upstream/pool").seenFrom(at))
            + "); use "
            + (connections + queue)
            + " or less, or a larger pool");
  }

  private void waiters(Merged merged) {
    int perKey = merged.at(PER_KEY).asInt();
    int perTenant = merged.at(PER_TENANT).asInt();
    if (perKey <= perTenant) {
      return;
    }
    boolean blameTenant = merged.isStronger(PER_TENANT, PER_KEY);
    String blamed = blameTenant ? PER_TENANT : PER_KEY;
    String other = blameTenant ? PER_KEY : PER_TENANT;
    Position at = merged.written(blamed).value();
    findings.error(
        at,
        merged.where(blamed),
        merged.text(blamed)
            + (blameTenant ? " is less than " : " is more than ")
            + Pointers.name(other)
            + " "
            + merged.text(other)
            + " "
            + merged.written(other).place(at)
            + "; use "
            + merged.text(other)
            + (blameTenant ? " or more, or a smaller " : " or less, or a larger ")
            + Pointers.name(other));
  }

  private void stored(Merged merged) {
    Optional<Merged.Source> quota = quota("maxStoredBytes");
    if (quota.isEmpty() || merged.size(MAX) <= Units.size(value(quota.get()).asText())) {
      return;
    }
    boolean builtIn = merged.level(MAX) == Merged.Level.BUILT_IN;
    Position at = builtIn ? quota.get().value() : merged.written(MAX).value();
    String most = value(quota.get()).asText();
    findings.error(
        at,
        builtIn ? where(quota.get()) : merged.where(MAX),
        builtIn
            ? most
                + " is less than the built-in capture.max "
                + merged.text(MAX)
                + "; use "
                + merged.text(MAX)
                + " or more, or a smaller capture.max"
            : merged.text(MAX)
                + " is more than quotas.maxStoredBytes "
                + most
                + " ("
                + quota.get().value().seenFrom(at)
                + "); use "
                + most
                + " or less, or a larger quota");
  }
}

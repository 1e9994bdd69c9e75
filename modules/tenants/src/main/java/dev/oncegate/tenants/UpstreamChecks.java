package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.TenantPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks 8 and 21: the upstream's address and its time-outs. */
final class UpstreamChecks {
  private static final Set<String> ALL_ADDRESSES = Set.of("0.0.0.0", "::", "[::]");

  private UpstreamChecks() {}

  static void check(ReadTenant tenant, List<TenantsLoader.Listener> listeners, Findings findings) {
    address(tenant, listeners, findings);
    timeouts(tenant, findings);
  }

  private static void address(
      ReadTenant tenant, List<TenantsLoader.Listener> listeners, Findings findings) {
    Position at = tenant.at("/upstream/baseUrl");
    String where = tenant.id() + " upstream.baseUrl";
    String text = tenant.node().path("upstream").path("baseUrl").asText();
    Optional<BaseUrl> parsed = BaseUrl.parse(text);
    if (parsed.isEmpty()) {
      findings.error(
          at,
          where,
          Shown.text(text)
              + " has no host or no port from 1 to 65535; write one such as"
              + " https://payments.example:8443/api");
      return;
    }
    BaseUrl url = parsed.get();
    if (listeners.stream().anyMatch(listener -> isOwn(url, listener))) {
      findings.error(
          at, where, Shown.text(text) + " is this gateway's own address; name the tenant's API");
    }
    if (!url.tls() && !url.isLoopback()) {
      findings.warning(
          at,
          where,
          "plain http to "
              + Shown.text(url.host())
              + " can be read and changed on its way; use https");
    }
    tls(tenant, url, findings);
  }

  private static void tls(ReadTenant tenant, BaseUrl url, Findings findings) {
    String verify = "/upstream/tls/verifyHost";
    JsonNode upstream = tenant.node().path("upstream");
    if (tenant.has(verify) && !upstream.path("tls").path("verifyHost").asBoolean()) {
      findings.warning(
          tenant.at(verify),
          tenant.id() + " upstream.tls.verifyHost",
          "false accepts any server; use true, with ca and serverName");
    }
    if (!url.tls() && upstream.path("pool").path("http2").asBoolean()) {
      findings.error(
          tenant.at("/upstream/pool/http2"),
          tenant.id() + " upstream.pool.http2",
          "HTTP/2 is agreed on within TLS, and baseUrl is plain http; use false, or https");
    }
  }

  private static boolean isOwn(BaseUrl url, TenantsLoader.Listener listener) {
    if (url.port() != listener.port()) {
      return false;
    }
    boolean everywhere = ALL_ADDRESSES.contains(listener.host());
    return url.host().equalsIgnoreCase(listener.host())
        || ALL_ADDRESSES.contains(url.host())
        || url.isLoopback() && (everywhere || BaseUrl.isLoopback(listener.host()));
  }

  private static void timeouts(ReadTenant tenant, Findings findings) {
    TenantPolicy.Timeouts timeouts = tenant.timeouts();
    notOver(tenant, "connect", timeouts.connect(), timeouts.total(), findings);
    notOver(tenant, "poolWait", timeouts.poolWait(), timeouts.total(), findings);
    notOver(tenant, "firstByte", timeouts.firstByte(), timeouts.total(), findings);
    if (timeouts.abandon().compareTo(timeouts.total()) < 0) {
      // Built in it is twice total, so it was written.
      Position at = tenant.at("/upstream/timeouts/abandon");
      findings.error(
          at,
          tenant.id() + " upstream.timeouts.abandon",
          tenant.file().at(tenant.pointer() + "/upstream/timeouts/abandon").asText()
              + " is shorter than total "
              + total(tenant, at)
              + "; use "
              + tenant.totalText()
              + " or more, or leave it out for "
              + Units.written(timeouts.total().multipliedBy(2)));
    }
  }

  private static void notOver(
      ReadTenant tenant, String name, Duration value, Duration total, Findings findings) {
    if (value.compareTo(total) > 0) {
      Position at = tenant.at("/upstream/timeouts/" + name);
      findings.error(
          at,
          tenant.id() + " upstream.timeouts." + name,
          tenant.file().at(tenant.pointer() + "/upstream/timeouts/" + name).asText()
              + " is longer than total "
              + total(tenant, at)
              + "; use "
              + tenant.totalText()
              + " or less");
    }
  }

  private static String total(ReadTenant tenant, Position seenFrom) {
    String place = tenant.totalPosition().map(p -> p.seenFrom(seenFrom)).orElse("built-in");
    return tenant.totalText() + " (" + place + ")";
  }
}

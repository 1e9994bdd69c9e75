package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.PathTemplate;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the policies that the gateway serves by from tenants that passed every check. */
final class PolicyBuilder {
  static final String API_KEY_HEADER = "X-Api-Key";

  private final Map<String, String> secrets;
  private final JsonNode fileQuotas;

  /**
   * A builder.
   *
   * @param main the main file, whose {@code defaults.quotas} reach every tenant
   * @param secrets resolved secrets by reference; one that is missing opens nothing
   */
  PolicyBuilder(YamlTree main, Map<String, String> secrets) {
    this.fileQuotas = main.at("/defaults/quotas");
    this.secrets = secrets;
  }

  TenantPolicy tenant(ReadTenant read) {
    JsonNode node = read.node();
    List<TenantPolicy.Match> matches = new ArrayList<>();
    node.path("match").forEach(entry -> matches.add(match(entry)));
    return new TenantPolicy(
        read.id(),
        matches,
        principal(node, matches),
        upstream(read),
        switch (node.path("unmatched").asText("safe")) {
          case "safe" -> TenantPolicy.Unmatched.SAFE;
          case "passthrough" -> TenantPolicy.Unmatched.PASSTHROUGH;
          case "refuse" -> TenantPolicy.Unmatched.REFUSE;
          default -> throw new BrokenInvariant("a value of unmatched passed the schema");
        },
        read.routes().stream().map(this::route).toList());
  }

  private TenantPolicy.Match match(JsonNode entry) {
    Optional<TenantPolicy.ApiKeys> apiKey = Optional.empty();
    if (entry.has("apiKey")) {
      Map<String, List<Bytes>> digests = new LinkedHashMap<>();
      for (JsonNode key : entry.path("apiKey").path("keys")) {
        List<Bytes> ofKey = new ArrayList<>();
        for (JsonNode reference : key.path("sha256")) {
          String digest = secrets.get(reference.asText());
          if (digest != null) {
            ofKey.add(Bytes.wrap(HexFormat.of().parseHex(digest)));
          }
        }
        digests.put(key.path("id").asText(), List.copyOf(ofKey));
      }
      apiKey =
          Optional.of(
              new TenantPolicy.ApiKeys(
                  entry.path("apiKey").path("header").asText(API_KEY_HEADER), digests));
    }
    return new TenantPolicy.Match(
        text(entry, "host"),
        // The whole of a host is the prefix of no segments.
        text(entry, "pathPrefix").map(prefix -> prefix.equals("/") ? "" : prefix),
        entry.path("stripPrefix").asBoolean(false),
        apiKey);
  }

  private static TenantPolicy.Principal principal(
      JsonNode tenant, List<TenantPolicy.Match> matches) {
    boolean allHaveKeys = matches.stream().allMatch(match -> match.apiKey().isPresent());
    // The schema refuses a tenant without either where a key would need an owner.
    return switch (tenant.path("principal").asText(allHaveKeys ? "apiKey" : "shared")) {
      case "shared" -> TenantPolicy.Principal.SHARED;
      case "apiKey" -> TenantPolicy.Principal.API_KEY;
      default -> throw new BrokenInvariant("a principal passed the checks");
    };
  }

  private TenantPolicy.Upstream upstream(ReadTenant read) {
    JsonNode upstream = read.node().path("upstream");
    BaseUrl url =
        BaseUrl.parse(upstream.path("baseUrl").asText())
            .orElseThrow(() -> new BrokenInvariant("a base URL passed the checks"));
    TenantPolicy.Pool builtIn = TenantPolicy.Pool.BUILT_IN;
    JsonNode pool = upstream.path("pool");
    return new TenantPolicy.Upstream(
        url.tls(),
        url.host(),
        url.port(),
        url.path(),
        read.timeouts(),
        new TenantPolicy.Pool(
            pool.path("maxConnections").asInt(builtIn.maxConnections()),
            pool.path("maxWaitQueue").asInt(builtIn.maxWaitQueue()),
            pool.has("idleTimeout")
                ? Units.duration(pool.path("idleTimeout").asText())
                : builtIn.idleTimeout(),
            pool.path("http2").asBoolean(builtIn.http2())),
        Optional.ofNullable(upstream.get("tls")).map(this::tls),
        read.honoursKey(),
        probesPerSecond(read.node().path("quotas")));
  }

  private double probesPerSecond(JsonNode quotas) {
    return quotas
        .path("probesPerSecond")
        .asDouble(
            fileQuotas.path("probesPerSecond").asDouble(TenantPolicy.Upstream.PROBES_PER_SECOND));
  }

  private TenantPolicy.TlsSettings tls(JsonNode tls) {
    return new TenantPolicy.TlsSettings(
        text(tls, "ca"),
        // A key that was not found, when only checking, is nothing to show.
        text(tls, "clientKey")
            .flatMap(reference -> Optional.ofNullable(secrets.get(reference)))
            .map(key -> new TenantPolicy.ClientCertificate(tls.path("clientCert").asText(), key)),
        text(tls, "serverName"),
        tls.path("verifyHost").asBoolean(true));
  }

  private RoutePolicy route(ReadRoute read) {
    Set<String> methods = new LinkedHashSet<>();
    read.node().path("match").path("methods").forEach(method -> methods.add(method.asText()));
    return new RoutePolicy(
        read.id(),
        read.isKeyed() ? RoutePolicy.Mode.IDEMPOTENCY_KEY : RoutePolicy.Mode.PASSTHROUGH,
        methods,
        PathTemplate.parse(read.path()),
        ProtocolBuilder.protocol(read.merged(), ExchangeTimes.of(read.tenant())),
        park(read.merged()));
  }

  /** Not a part of the protocol: a waiter obeys the file that is in force as it comes. */
  private static RoutePolicy.Park park(Merged merged) {
    return new RoutePolicy.Park(
        merged.duration("/park/maxWait"),
        merged.at("/park/maxWaitersPerKey").asInt(),
        merged.at("/park/maxWaitersPerTenant").asInt());
  }

  private static Optional<String> text(JsonNode node, String name) {
    return Optional.ofNullable(node.get(name)).map(JsonNode::asText);
  }
}

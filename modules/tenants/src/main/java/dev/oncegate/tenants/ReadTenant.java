package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.TenantPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One tenant as it stands in a file whose shape is right.
 *
 * @param pointer the tenant in its file
 */
record ReadTenant(YamlTree file, String pointer, List<ReadRoute> routes) {

  /** Every tenant of the main file and of those beside it, in this order. */
  static List<ReadTenant> all(YamlTree main, List<YamlTree> files, PolicyMerge merge) {
    List<ReadTenant> tenants = new ArrayList<>();
    for (YamlTree file : files) {
      for (int t = 0; t < file.root().path("tenants").size(); t++) {
        ReadTenant tenant = new ReadTenant(file, "/tenants/" + t, new ArrayList<>());
        for (int r = 0; r < tenant.node().path("routes").size(); r++) {
          tenant.routes.add(
              new ReadRoute(
                  tenant, tenant.pointer + "/routes/" + r, merge.merge(main, file, t, r)));
        }
        tenants.add(tenant);
      }
    }
    return tenants;
  }

  JsonNode node() {
    return file.at(pointer);
  }

  String id() {
    return node().path("id").asText();
  }

  /** The routes of which something is remembered: all but passthrough ones. */
  List<ReadRoute> protectedRoutes() {
    return routes.stream().filter(ReadRoute::isProtected).toList();
  }

  List<ReadRoute> keyedRoutes() {
    return routes.stream().filter(ReadRoute::isKeyed).toList();
  }

  boolean has(String below) {
    return !file.at(pointer + below).isMissingNode();
  }

  /** Where a value of the tenant starts. */
  Position at(String below) {
    return file.value(pointer + below);
  }

  /** Pointers of the match entries below the tenant. */
  List<String> matches() {
    return IntStream.range(0, node().path("match").size()).mapToObj(i -> "/match/" + i).toList();
  }

  /** The time-outs after built-in values: abandon is twice total, none exceeds a given total. */
  TenantPolicy.Timeouts timeouts() {
    TenantPolicy.Timeouts builtIn = TenantPolicy.Timeouts.BUILT_IN;
    Duration total = timeout("total", builtIn.total());
    return new TenantPolicy.Timeouts(
        timeout("connect", shorter(builtIn.connect(), total)),
        timeout("poolWait", shorter(builtIn.poolWait(), total)),
        timeout("firstByte", total),
        total,
        timeout("abandon", total.multipliedBy(2)));
  }

  /** The tenant's word that its API executes one upstream key once. */
  boolean honoursKey() {
    return node().path("upstream").path("honoursKey").asBoolean(false);
  }

  /** Where {@code upstream.timeouts.total} was written; empty where it is the built-in one. */
  Optional<Position> totalPosition() {
    String total = "/upstream/timeouts/total";
    return has(total) ? Optional.of(at(total)) : Optional.empty();
  }

  /** {@code upstream.timeouts.total} as it was written, or as the built-in one would be. */
  String totalText() {
    return node()
        .path("upstream")
        .path("timeouts")
        .path("total")
        .asText(Units.written(timeouts().total()));
  }

  private Duration timeout(String name, Duration otherwise) {
    JsonNode given = node().path("upstream").path("timeouts").path(name);
    return given.isMissingNode() ? otherwise : Units.duration(given.asText());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** By place: its routes know it in turn, so the generated methods would not end. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ReadTenant that
        && file.file().equals(that.file.file())
        && pointer.equals(that.pointer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(file.file(), pointer);
  }

  @Override
  public String toString() {
    return file.where(pointer);
  }
}

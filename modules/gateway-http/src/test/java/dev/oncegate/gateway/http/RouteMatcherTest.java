package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.gateway.http.RouteMatcher.Way;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteMatcherTest {
  private static final RoutePolicy CHARGES = Policies.keyed("charges", "/charges/{id}");
  private static final RoutePolicy ANY_CHARGE = Policies.passthrough("any", "/charges/**");

  @Test
  void firstMatch_wins_withItsParameters() {
    Way way = match(TenantPolicy.Unmatched.SAFE, "POST", "/charges/%7e1");
    assertThat(way).isEqualTo(new Way.Keyed(CHARGES, Map.of("id", "~1")));
    assertThat(match(TenantPolicy.Unmatched.SAFE, "PUT", "/charges/1"))
        .isEqualTo(new Way.Bypass(java.util.Optional.of(ANY_CHARGE)));
  }

  @Test
  void unmatchedSafe_letsOnlySafeMethodsPass() {
    for (String method : List.of("GET", "HEAD", "OPTIONS")) {
      assertThat(match(TenantPolicy.Unmatched.SAFE, method, "/x")).isInstanceOf(Way.Bypass.class);
    }
    assertThat(match(TenantPolicy.Unmatched.SAFE, "POST", "/x"))
        .isEqualTo(new Way.NoRoute("No route is declared for POST /x."));
  }

  @Test
  void unmatchedPassthroughAndRefuse_holdForEveryMethod() {
    assertThat(match(TenantPolicy.Unmatched.PASSTHROUGH, "DELETE", "/x"))
        .isInstanceOf(Way.Bypass.class);
    assertThat(match(TenantPolicy.Unmatched.REFUSE, "GET", "/x")).isInstanceOf(Way.NoRoute.class);
  }

  @Test
  void longPath_isNotEchoedWhole() {
    Way way = match(TenantPolicy.Unmatched.REFUSE, "GET", "/" + "x".repeat(5000));
    assertThat(((Way.NoRoute) way).detail()).hasSizeLessThan(300);
  }

  private static Way match(TenantPolicy.Unmatched unmatched, String method, String path) {
    TenantPolicy tenant =
        new TenantPolicy(
            "t",
            List.of(Policies.host("h")),
            TenantPolicy.Principal.SHARED,
            Policies.upstream(1, Policies.TIMEOUTS),
            unmatched,
            List.of(CHARGES, ANY_CHARGE));
    return RouteMatcher.match(tenant, method, path);
  }
}

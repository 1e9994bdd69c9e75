package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reliability 70: no way into the API without the token. */
class BearerAuthIT extends OpsApiBase {
  @Test
  void everyRoute_withoutAndWithAWrongToken_is401() {
    List<String[]> routes = routes();
    assertThat(routes).as("routes of the API").hasSizeGreaterThanOrEqualTo(6);
    for (String[] route : routes) {
      for (String authorization : List.of("", "Bearer " + TOKEN + "x", "Basic " + TOKEN)) {
        Answer answer = ask(route[0], route[1], authorization, "", "application/json");
        assertThat(answer.status())
            .as("%s %s with '%s'", route[0], route[1], authorization)
            .isEqualTo(401);
        assertThat(answer.slug()).isEqualTo("credentials-invalid");
        assertThat(answer.http().headers().firstValue("WWW-Authenticate").orElse(""))
            .startsWith("Bearer");
        assertThat(answer.http().headers().firstValue("Content-Type"))
            .hasValue("application/problem+json");
      }
    }
  }

  /** What the router itself lists, so that a new route is walked as well. */
  private List<String[]> routes() {
    List<String[]> found = new ArrayList<>();
    Vertx own = Vertx.vertx();
    try {
      for (Route route : api().router(own).getRoutes()) {
        Set<HttpMethod> methods = route.methods();
        if (route.getPath() == null || methods == null) {
          continue;
        }
        String path =
            "/api/v1"
                + route
                    .getPath()
                    .replace(":tenant", "acme")
                    .replace(":id", "00".repeat(32))
                    .replace("*", "x");
        methods.forEach(method -> found.add(new String[] {method.name(), path}));
      }
    } finally {
      own.close().await();
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/tenants/",
        "/api//v1/tenants",
        "/api/v1//tenants",
        "/api/v1/./tenants",
        "/api/v1/x/../tenants",
        "/api/v1/%74enants",
        "/%61pi/v1/tenants",
        "/api/v1;x/tenants",
        "/API/v1/tenants",
        "/health/../api/v1/tenants"
      })
  void noSpelling_goesAroundIt(String path) {
    assertThat(ask("GET", path, "", "", "").status()).isIn(401, 404, 400);
    assertThat(ask("GET", path, "", "", "").http().body()).doesNotContain("acme");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "Bearera-token-for-this-test",
        "a-token-for-this-test",
        "Bearer A-TOKEN-FOR-THIS-TEST",
        "Bearer a-token-for-this-test, Bearer a-token-for-this-test"
      })
  void whatIsNotTheToken_is401(String authorization) {
    assertThat(ask("GET", "/api/v1/tenants", authorization, "", "").status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
  void theToken_passes_howeverTheSchemeIsSpelt(String scheme) {
    assertThat(ask("GET", "/api/v1/tenants", scheme + TOKEN, "", "").status()).isEqualTo(200);
  }

  @Test
  void manyWrongTokensAtOnce_are429BeyondALimit_andTheRightOneStillPasses() {
    List<Answer> answers = together(60, "/api/v1/tenants", "Bearer wrong");
    assertThat(answers.stream().collect(Collectors.groupingBy(Answer::status)).keySet())
        .containsExactlyInAnyOrder(401, 429);
    assertThat(get("/api/v1/tenants").status()).isEqualTo(200);
    assertThat(ask("GET", "/api/v1/tenants", "Bearer wrong", "", "").status()).isEqualTo(401);
  }

  @Test
  void healthAndMetrics_needNoToken() {
    assertThat(ask("GET", "/health/live", "", "", "").status()).isEqualTo(200);
    assertThat(ask("GET", "/health/ready", "", "", "").status()).isEqualTo(200);
    assertThat(ask("GET", "/metrics", "", "", "").status()).isEqualTo(200);
  }
}

package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplanationTest {
  private static Explanation.Result explain(String text, String tenant, String route) {
    return new TenantsReader(Reads.options())
        .explain(List.of(Reads.source("tenants.yaml", text)), tenant, route);
  }

  private static List<String> lines(String text, String tenant, String route) {
    return ((Explanation.Explained) explain(text, tenant, route)).lines();
  }

  @Test
  void route_isShownWithThePlaceOfEachValue() {
    assertThat(
            String.join("\n", lines(Example.whole().text(), "globex-orders", "place-order")) + "\n")
        .isEqualTo(Reads.resource("/dev/oncegate/tenants/explained-place-order.txt"));
  }

  @Test
  void derivedRetention_isShownWithItsArithmetic() {
    String demo = Reads.resource("/repository/tenants.yaml");

    assertThat(lines(demo, "shop", "create-charge"))
        .contains(
            "# retention 30h 1m 17s (1.25 x (waits 11s 250ms + 5 x 10s + 24h) = 30h 1m 17s),"
                + " tombstone 30h 1m 17s");
  }

  @Test
  void assumptions_areSaidWithWhatTheyDoNotCover() {
    String bare =
        """
        version: 1
        tenants:
          - id: a
            match: [{ host: a.example }]
            principal: shared
            upstream: { baseUrl: "https://a.example" }
            routes: [{ id: r, match: { methods: [POST], path: /r }, mode: idempotency-key }]
        """;

    assertThat(lines(bare, "a", "r"))
        .contains("key:")
        .anyMatch(line -> line.matches("# upstream.timeouts.total: 30s +# built-in"))
        .anyMatch(line -> line.matches("  header: Idempotency-Key +# built-in"))
        .endsWith(
            "# retention 30h 3m 22s (1.25 x (waits 11s 250ms + 5 x 30s + 24h) = 30h 3m 22s),"
                + " tombstone 30h 3m 22s",
            "# no retryBudget on any level; assumed: 5 attempts, 500ms doubling to 30s, jitter 0.5,"
                + " hence 30h 3m 22s. A client that tries more often or a queue that delivers again"
                + " later is not covered; give retryBudget",
            "# no humanReplayWindow on any level; assumed: 24h, hence 30h 3m 22s. A person who"
                + " sends the request again later is not covered; give humanReplayWindow",
            "# unknown outcomes: hold (onAmbiguous auto, no probe and no upstreamKey): a person"
                + " resolves them",
            "# quarantine 1m 45s (2 x total 30s + lease.ttl 45s = 1m 45s)");
  }

  @Test
  void fixedRetention_namesWhatTheBudgetNeeds() {
    assertThat(lines(Example.unchanged().text(), "globex-orders", "put-order"))
        .contains(
            "# retention 10m (fixed; the retry budget needs 1.25 x (waits 600ms + 3 x 8s + 0s) ="
                + " 31s), tombstone 10m");
  }

  @Test
  void whatAutoComesTo_isSaidWithItsReason() {
    Example auto = Example.with(144, "probe", "auto").and(184, "release", "auto");

    assertThat(lines(auto.text(), "acme-payments", "create-charge"))
        .endsWith(
            "# unknown outcomes: probe (onAmbiguous auto, the route has a probe): asked every 5s"
                + " for 15m, then a person",
            "# quarantine 1m 45s (given; built-in: 2 x total 30s + lease.ttl 45s = 1m 45s)");
    assertThat(lines(auto.text(), "acme-payments", "refund-charge"))
        .contains(
            "# unknown outcomes: release (onAmbiguous auto, no probe, but an upstreamKey that the"
                + " upstream honours): a retry goes out under the same upstream key");
    assertThat(lines(auto.and(92, "true", "false").text(), "acme-payments", "refund-charge"))
        .contains(
            "# unknown outcomes: hold (onAmbiguous auto, no probe, and upstream.honoursKey is"
                + " false): a person resolves them");
  }

  @Test
  void writtenWay_isSaidAsItIs_andBuiltInTimesAsSuch() {
    String text =
        Example.with(172, "quarantine", "x-quarantine")
            .and(173, "every", "x-every")
            .and(174, "giveUpAfter", "x-give-up")
            .text();

    assertThat(lines(text, "acme-payments", "create-charge"))
        .endsWith(
            "# unknown outcomes: probe (onAmbiguous probe): asked every 5s (built-in) for 15m"
                + " (built-in), then a person",
            "# quarantine 1m 45s (2 x total 30s + lease.ttl 45s = 1m 45s)");
  }

  @Test
  void quarantineThatCoversALongExchange_saysSo() {
    assertThat(lines(Example.with(98, "60s", "200s").text(), "acme-payments", "upload-evidence"))
        .endsWith(
            "# quarantine 3m 20s (upstream.timeouts.abandon, which is longer than 2 x total 30s +"
                + " lease.ttl 45s = 1m 45s)");
  }

  @Test
  void waysOfKeyedRoutes_areThereForValidate() {
    assertThat(Reads.loaded(Example.unchanged().text()).ways())
        .extracting(EffectiveWay::toString)
        .contains(
            "acme-payments/refund-charge: unknown outcomes: release (onAmbiguous release): a retry"
                + " goes out under the same upstream key; quarantine 1m 45s (2 x total 30s +"
                + " lease.ttl 45s = 1m 45s)");
  }

  @Test
  void passthroughRoute_hasNoPolicy() {
    assertThat(lines(Example.unchanged().text(), "globex-orders", "rest"))
        .endsWith("# streamed through untouched: no policy reaches a passthrough route")
        .noneMatch(line -> line.startsWith("key:"));
  }

  @Test
  void explainedPolicy_isYamlThatMeansTheSame() {
    String text = Example.whole().text();
    String explained = String.join("\n", lines(text, "acme-payments", "create-charge"));
    YamlTree tree =
        YamlReader.read("explained", explained.getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .tree()
            .orElseThrow();

    assertThat(tree.at("/fingerprint/body/include/0").asText()).isEqualTo("/merchant_reference");
    assertThat(tree.at("/outcome/ambiguous")).hasSize(3);
    assertThat(tree.at("/probe/request/headers/Authorization").asText())
        .isEqualTo("${env:ACME_PROBE_AUTHORIZATION}");
    assertThat(tree.at("/lease/ttl").asText()).isEqualTo("45s");
    assertThat(tree.at("/privacy/encrypt").asBoolean()).isTrue();
  }

  @Test
  void unknownNames_areAnsweredWithTheNearest() {
    String text = Example.unchanged().text();

    assertThat(explain(text, "acme-payment", "create-charge"))
        .isEqualTo(
            new Explanation.Unknown(
                "no tenant is called \"acme-payment\"; did you mean \"acme-payments\"?"));
    assertThat(explain(text, "globex-orders", "palce-order"))
        .isEqualTo(
            new Explanation.Unknown(
                "no route of globex-orders is called \"palce-order\"; did you mean"
                    + " \"place-order\"?"));
    assertThat(explain(text, "x", "y"))
        .isEqualTo(
            new Explanation.Unknown(
                "no tenant is called \"x\"; there are: acme-payments, globex-orders"));
  }

  @Test
  void fileThatIsRefusedForItsMeaning_isExplainedWithItsFindings() {
    Explanation.Explained explained =
        (Explanation.Explained)
            explain(Example.with(237, "10m", "10s").text(), "acme-payments", "create-charge");

    assertThat(explained.findings()).anyMatch(Finding::refuses);
    assertThat(explained.lines()).isNotEmpty();
  }

  @Test
  void fileWithoutShape_isRefused(@TempDir Path folder) throws Exception {
    assertThat(explain("version: 2\n", "a", "b")).isInstanceOf(Explanation.Refused.class);
    assertThat(explain(Example.with(32, "45s", "99999999d").text(), "acme-payments", "b"))
        .isInstanceOf(Explanation.Refused.class);
    assertThat(Explanation.of(folder.resolve("none.yaml"), "a", "b"))
        .isInstanceOf(Explanation.Refused.class);
    Path file = Files.writeString(folder.resolve("t.yaml"), Example.unchanged().text());
    assertThat(Explanation.of(file, "acme-payments", "create-charge"))
        .isInstanceOf(Explanation.Explained.class);
  }

  @Test
  void retentionsOfKeyedRoutes_areThereForValidate() {
    assertThat(Reads.loaded(Example.unchanged().text()).retentions())
        .extracting(DerivedRetention::toString)
        .startsWith(
            "acme-payments/create-charge: retention 30h 7m (1.25 x (waits 1m 35s 250ms + 8 x 30s +"
                + " 24h) = 30h 7m), tombstone 30d");
  }
}

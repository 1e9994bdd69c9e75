package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.gateway.http.TenantMatcher.Entrance;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantMatcherTest {
  private static final TenantPolicy BY_HOST = tenant("by-host", Policies.host("pay.example"));
  private static final TenantPolicy BY_PREFIX = tenant("by-prefix", Policies.prefix("/t/acme"));
  private static final TenantPolicy BY_LONGER = tenant("by-longer", Policies.prefix("/t/acme/eu"));
  private static final TenantPolicy BY_KEY =
      tenant("by-key", Policies.anywhereWithKeys(Map.of("ci", List.of("k-old", "k-new"))));
  private static final TenantPolicy LOCKED =
      tenant(
          "locked", Policies.withKeys(Policies.prefix("/locked"), Map.of("ci", List.of("right"))));
  private static final List<TenantPolicy> ALL =
      List.of(BY_KEY, BY_PREFIX, BY_LONGER, LOCKED, BY_HOST);

  @Test
  void host_beatsPrefixAndKey() {
    Entrance.Entered entered = entered(head("pay.example", "/t/acme/x", "k-old"));
    assertThat(entered.tenant()).isEqualTo(BY_HOST);
    assertThat(entered.path()).isEqualTo("/t/acme/x");
    assertThat(entered.prefix()).isEmpty();
  }

  @Test
  void longestPrefix_wins() {
    assertThat(entered(head("h", "/t/acme/eu/x")).tenant()).isEqualTo(BY_LONGER);
    assertThat(entered(head("h", "/t/acme/us/x")).tenant()).isEqualTo(BY_PREFIX);
  }

  @Test
  void prefix_isStrippedByWholeSegments() {
    assertThat(entered(head("h", "/t/acme/x/y")).path()).isEqualTo("/x/y");
    assertThat(entered(head("h", "/t/acme")).path()).isEqualTo("/");
    assertThat(entered(head("h", "/t/acme/")).path()).isEqualTo("/");
    assertThat(entered(head("h", "/%74/acme/%7Ex")).path()).isEqualTo("/%7Ex");
    assertThat(match(head("h", "/t/acmexyz"))).isInstanceOf(Entrance.Nowhere.class);
  }

  @Test
  void key_opensUnderItsHoldersId_overRotation() {
    assertThat(entered(head("h", "/x", "k-old")).apiKeyId()).hasValue("ci");
    assertThat(entered(head("h", "/x", "k-new")).apiKeyId()).hasValue("ci");
  }

  @Test
  void c54_wrongOrMissingKeyAtAKnownPlace_isLocked() {
    assertThat(match(head("h", "/locked/x"))).isInstanceOf(Entrance.Locked.class);
    assertThat(match(head("h", "/locked/x", "wrong"))).isInstanceOf(Entrance.Locked.class);
    // The other tenant's key fits in general, and must not open what is found by its place.
    assertThat(match(head("h", "/locked/x", "k-old"))).isInstanceOf(Entrance.Locked.class);
    assertThat(entered(head("h", "/locked/x", "right")).tenant()).isEqualTo(LOCKED);
  }

  @Test
  void c54_wrongOrMissingKeyWhereOnlyTheKeyFinds_isNowhere() {
    assertThat(match(head("h", "/x"))).isInstanceOf(Entrance.Nowhere.class);
    assertThat(match(head("h", "/x", "wrong"))).isInstanceOf(Entrance.Nowhere.class);
  }

  @Test
  void twoKeyLines_openNothing() {
    assertThat(match(head("h", "/locked/x", "right", "right"))).isInstanceOf(Entrance.Locked.class);
  }

  @Test
  void onePlaceOfTwoTenants_isToldApartByTheKey() {
    TenantPolicy a = tenant("a", Policies.withKeys(Policies.host("h"), Map.of("x", List.of("ka"))));
    TenantPolicy b = tenant("b", Policies.withKeys(Policies.host("h"), Map.of("x", List.of("kb"))));
    assertThat(
            ((Entrance.Entered) TenantMatcher.match(head("h", "/", "kb"), List.of(a, b))).tenant())
        .isEqualTo(b);
  }

  private static Entrance match(RequestHead head) {
    return TenantMatcher.match(head, ALL);
  }

  private static Entrance.Entered entered(RequestHead head) {
    assertThat(match(head)).isInstanceOf(Entrance.Entered.class);
    return (Entrance.Entered) match(head);
  }

  private static RequestHead head(String host, String path, String... keys) {
    List<HeaderField> headers =
        List.of(keys).stream().map(k -> new HeaderField("x-api-key", k)).toList();
    return new RequestHead("POST", host, path, null, headers);
  }

  private static TenantPolicy tenant(String id, TenantPolicy.Match match) {
    return new TenantPolicy(
        id,
        List.of(match),
        TenantPolicy.Principal.SHARED,
        Policies.upstream(1, Policies.TIMEOUTS),
        TenantPolicy.Unmatched.SAFE,
        List.of());
  }
}

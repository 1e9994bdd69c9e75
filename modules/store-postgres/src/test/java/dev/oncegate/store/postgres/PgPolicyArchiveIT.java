package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgPolicyArchiveIT {
  private static PgFixture fixture;
  private static PgPolicyArchive archive;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgPolicyArchiveIT.class);
    archive =
        PgPolicyArchive.open(fixture.vertx, fixture.options(), PgStoreSettings.DEFAULTS.patience());
  }

  @AfterAll
  static void close() {
    get(archive.close());
    fixture.close();
  }

  private static ArchivedPolicy policy(String version, String route, String document) {
    return new ArchivedPolicy(version, "acme", route, document);
  }

  @Test
  void rememberedPolicy_isFound_byAnotherProcessToo() {
    get(archive.remember(List.of(policy("v1", "charge", "{\"a\":\"ü\"}"))));
    PgPolicyArchive other =
        PgPolicyArchive.open(fixture.vertx, fixture.options(), Duration.ofSeconds(5));

    assertThat(get(other.find("v1"))).contains("{\"a\":\"ü\"}");
    assertThat(get(archive.find("v2"))).isEmpty();
    get(other.close());
  }

  @Test
  void repeated_changesNothing_andSharedVersionsStandBesideEachOther() {
    get(
        archive.remember(
            List.of(policy("s", "a", "1"), policy("s", "b", "1"), policy("s", "a", "1"))));
    get(archive.remember(List.of(policy("s", "a", "2"), policy("s", "c", "1"))));
    get(archive.remember(List.of()));

    assertThat(get(archive.find("s"))).contains("1");
    assertThat(fixture.database.query("select count(*) from policy where version = 's'"))
        .isEqualTo("3");
    assertThat(fixture.database.query("select document from policy where route = 'a'"))
        .isEqualTo("1");
  }

  @Test
  void nodesThatStartTogether_allSucceed() {
    List<ArchivedPolicy> policies = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      policies.add(policy("t" + i, "r", "{}"));
    }
    List<Future<Void>> nodes = new ArrayList<>();
    for (int node = 0; node < 8; node++) {
      List<ArchivedPolicy> shuffled = new ArrayList<>(policies);
      Collections.shuffle(shuffled);
      nodes.add(archive.remember(shuffled));
    }
    get(Future.all(nodes));

    assertThat(fixture.database.query("select count(*) from policy where version like 't%'"))
        .isEqualTo("200");
  }

  @Test
  void nothingListens_isUnavailable() {
    PgPolicyArchive nowhere =
        PgPolicyArchive.open(fixture.vertx, fixture.options().setPort(1), Duration.ofSeconds(5));

    assertThat(nowhere.find("v").transform(Future::succeededFuture))
        .satisfies(asked -> assertThat(get(asked).cause()).isInstanceOf(StoreUnavailable.class));
    get(nowhere.close());
  }
}

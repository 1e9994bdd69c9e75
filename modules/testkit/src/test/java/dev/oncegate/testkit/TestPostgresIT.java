package dev.oncegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.testkit.TestPostgres.Database;
import org.junit.jupiter.api.Test;

class TestPostgresIT {
  @Test
  void sharedServer_isDurableAndGivesFreshDatabases() {
    Database first = TestPostgres.shared().freshDatabase(TestPostgresIT.class);
    Database second = TestPostgres.shared().freshDatabase(TestPostgresIT.class);
    first.execute("create table mine (x int)");
    assertThat(second.query("select to_regclass('mine')")).isNull();
    assertThat(first.query("show fsync")).isEqualTo("on");
    assertThat(first.query("show synchronous_commit")).isEqualTo("on");
  }

  @Test
  void stoppedAndStarted_keepsPortAndData() {
    try (TestPostgres server = TestPostgres.embedded()) {
      Database database = server.freshDatabase(TestPostgresIT.class);
      database.execute("create table kept as select 7 as x");
      server.stop();
      assertThatThrownBy(() -> database.query("select 1"))
          .isInstanceOf(IllegalStateException.class);
      server.start();
      assertThat(database.query("select x from kept")).isEqualTo("7");
    }
  }
}

package dev.oncegate.store.postgres;

import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.RecordStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PgRecordStoreIT implements RecordStoreContract {
  private static PgFixture fixture;
  private static PgRecordStore store;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgRecordStoreIT.class);
    store = fixture.open();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public void elapse(Duration duration) {
    fixture.elapse(duration);
  }
}

package dev.oncegate.testkit;

import dev.oncegate.engine.port.RecordStore;
import java.time.Duration;
import java.time.Instant;

class InMemoryRecordStoreTest implements RecordStoreContract {
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final InMemoryRecordStore store = new InMemoryRecordStore(() -> now);

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public void elapse(Duration duration) {
    now = now.plus(duration);
  }
}

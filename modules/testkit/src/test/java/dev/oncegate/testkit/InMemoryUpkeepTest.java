package dev.oncegate.testkit;

import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import java.time.Duration;
import java.time.Instant;

class InMemoryUpkeepTest implements UpkeepContract, ReaderContract {
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final InMemoryRecordStore store = new InMemoryRecordStore(() -> now);
  private final InMemoryUpkeep upkeep = store.upkeep();

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public RecordUpkeep upkeep() {
    return upkeep;
  }

  @Override
  public RecordReader reader() {
    return upkeep;
  }

  @Override
  public void elapse(Duration duration) {
    now = now.plus(duration);
  }
}

package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogLimitTest {
  private long now;
  private final List<Long> lines = new ArrayList<>();
  private final LogLimit limit = new LogLimit(() -> now);

  @Test
  void linesWithinASecond_areCountedIntoTheNext() {
    pass("claim");
    pass("claim");
    pass("claim");
    now += TimeUnit.SECONDS.toNanos(1);
    pass("claim");
    assertThat(lines).containsExactly(0L, 2L);
  }

  @Test
  void otherSubject_hasItsOwnLimit() {
    pass("claim");
    pass("complete");
    assertThat(lines).containsExactly(0L, 0L);
  }

  private void pass(String subject) {
    limit.pass(subject, lines::add);
  }
}

package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * Loops of one process count their waiters together: whatever they do at the same time, it is as if
 * they had done it one after the other, so that a limit is never passed and no place is lost.
 */
class WaiterCountsLincheckTest {
  private static final int THREADS = 3;
  private static final int ITERATIONS = 15;

  @Test
  void everyInterleavingOfFewSteps_isAsIfOneAfterTheOther() {
    modelChecking().check(Counts.class);
  }

  @Test
  void loopsAtFullSpeed_areAsIfOneAfterTheOther() {
    new StressOptions()
        .threads(THREADS)
        .actorsPerThread(3)
        .iterations(ITERATIONS)
        .invocationsPerIteration(2_000)
        .check(Counts.class);
  }

  @Test
  void countThatLooksBeforeItAdds_isCaught() {
    ModelCheckingOptions options = modelChecking();
    assertThatThrownBy(() -> options.check(Careless.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .threads(THREADS)
        .actorsPerThread(2)
        .iterations(ITERATIONS)
        .invocationsPerIteration(500);
  }

  /**
   * Two tenants, and limits small enough to be reached; a tenant's may change by a reload. A thread
   * is a loop: it lets nobody leave who did not enter there.
   */
  @Param(name = "tenant", gen = IntGen.class, conf = "0:1")
  @Param(name = "most", gen = IntGen.class, conf = "1:2")
  @Param(name = "loop", gen = ThreadIdGen.class)
  public static class Counts {
    private final WaiterCounts counts = new WaiterCounts();
    private final int[][] entered = new int[THREADS + 2][2];

    @Operation
    public boolean enter(
        @Param(name = "loop") int loop,
        @Param(name = "tenant") int tenant,
        @Param(name = "most") int most) {
      boolean room = counts.enter("tenant-" + tenant, most);
      entered[loop][tenant] += room ? 1 : 0;
      return room;
    }

    @Operation
    public boolean leave(@Param(name = "loop") int loop, @Param(name = "tenant") int tenant) {
      if (entered[loop][tenant] == 0) {
        return false;
      }
      entered[loop][tenant]--;
      counts.leave("tenant-" + tenant);
      return true;
    }

    @Operation
    public int waiting(@Param(name = "tenant") int tenant) {
      return counts.waiting("tenant-" + tenant);
    }
  }

  /** What must not pass: two loops see the last place, and both take it. */
  @Param(name = "most", gen = IntGen.class, conf = "1:2")
  public static class Careless {
    private volatile int count;

    @Operation
    public boolean enter(@Param(name = "most") int most) {
      int before = count;
      if (before >= most) {
        return false;
      }
      count = before + 1;
      return true;
    }

    @Operation
    public int waiting() {
      return count;
    }
  }
}

package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten thousand waiters with bodies of a megabyte must not be ten gigabytes. */
class WaiterMemoryTest {
  private final EngineBench bench = new EngineBench();
  private final EngineBench.Loop other = bench.loop("owner-2");
  private final List<WeakReference<Admission>> requests = new ArrayList<>();

  private void park(IdempotencyEngine engine) {
    Admission admission = bench.admission("k", "A");
    engine.handle(admission, new Patience(Duration.ofSeconds(10)));
    requests.add(new WeakReference<>(admission));
  }

  @Test
  void waiters_keepNothingOfTheirRequests() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    bench.send("k", "A");
    park(bench.engine);
    bench.store.heal();
    bench.store.letGo();
    park(bench.engine);
    park(other.engine);
    park(other.engine);
    assertThat(bench.waiters.waiting("acme")).isEqualTo(4);

    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(requests).allMatch(request -> request.refersTo(null));
            });
    assertThat(bench.waiters.waiting("acme")).as("they wait all the same").isEqualTo(4);
  }
}

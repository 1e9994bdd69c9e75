package dev.oncegate.testkit.sim;

import java.util.*;
import org.junit.jupiter.api.Test;

class SimulationTest {
  @Test
  void seeds() {
    long start = System.nanoTime();
    long from = Long.getLong("sim.from", 0L);
    long count = Long.getLong("sim.count", 200L);
    Map<Rare, Long> seen = new EnumMap<>(Rare.class);
    List<Integer> ops = new ArrayList<>(), faults = new ArrayList<>();
    long events = 0, virtual = 0;
    int failed = 0;
    for (long s = from; s < from + count; s++) {
      try {
        Simulation.Result r = Simulation.run(s);
        ops.add(r.operations()); faults.add(r.faults());
        events += r.events(); virtual += r.virtualNanos();
        r.seen().forEach((k, v) -> seen.merge(k, v, Long::sum));
      } catch (Simulation.Failed f) {
        failed++;
        if (failed <= Integer.getInteger("sim.show", 1)) { System.out.println(f.getMessage()); f.getCause().printStackTrace(System.out);} 
        else System.out.println("FAILED " + s + " " + f.getCause().getMessage());
      }
    }
    long took = System.nanoTime() - start;
    Collections.sort(ops); Collections.sort(faults);
    System.out.println("failed " + failed + " median ops " + ops.get(ops.size() / 2) + " faults " + faults.get(faults.size() / 2)
        + " events " + events + " took ms " + took / 1_000_000 + " ev/s " + events * 1e9 / took + " ratio " + virtual / took);
    for (Rare r : Rare.values()) System.out.println(r + " " + seen.getOrDefault(r, 0L));
  }
}

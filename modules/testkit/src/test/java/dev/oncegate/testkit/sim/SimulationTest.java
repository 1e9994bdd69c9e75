package dev.oncegate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine in simulated worlds (reliability L2). {@code -Dsim.from} and {@code -Dsim.count}
 * choose other seeds; a seed alone repeats what it did.
 */
class SimulationTest {
  private static final long SEEDS = 2_000;
  private static final long DEAF_SEEDS = 100;
  private static final long LONG_FROM = 1_000_000;
  private static final long LONG_SEEDS = 1_000_000;

  /** Seen less often, a rare event says nothing (reliability C12). */
  private static final long FLOOR = 10;

  @Test
  void seeds_holdEveryInvariantAfterEveryEvent() throws InterruptedException {
    Campaign campaign = new Campaign();
    Campaign.regressions().forEach(campaign::one);
    long count = Long.getLong("sim.count", SEEDS);
    campaign.run(Long.getLong("sim.from", 0), count, 1);
    System.out.print(campaign.report());
    campaign.assertClean();
    if (count >= SEEDS) {
      isWorthSomething(campaign, FLOOR);
    }
  }

  @Test
  @Tag("long")
  void aMillionSeeds_holdEveryInvariantAfterEveryEvent() throws InterruptedException {
    Campaign campaign = new Campaign();
    Campaign.regressions().forEach(campaign::one);
    campaign.run(
        Long.getLong("sim.from", LONG_FROM),
        Long.getLong("sim.count", LONG_SEEDS),
        Runtime.getRuntime().availableProcessors());
    System.out.print(campaign.report());
    campaign.assertClean();
    isWorthSomething(campaign, FLOOR);
  }

  /** Whoever waits hears nothing, for as long as the world lasts: all that comes of it is delay. */
  @Test
  void busThatDropsEverything_onlyDelays() {
    Variation deaf =
        new Variation() {
          @Override
          protected boolean deaf() {
            return true;
          }
        };
    Map<Rare, Long> seen = new EnumMap<>(Rare.class);
    for (long seed = 0; seed < DEAF_SEEDS; seed++) {
      Simulation.run(seed, deaf).seen().forEach((rare, n) -> seen.merge(rare, n, Long::sum));
    }
    assertThat(seen).doesNotContainKeys(Rare.WOKEN_BY_A_MESSAGE, Rare.FORGED_RELEASE);
    assertThat(seen.get(Rare.WOKEN_BY_A_POLL)).isGreaterThan(FLOOR);
    assertThat(seen.get(Rare.RELEASE_FOUND_BY_A_POLL)).isGreaterThanOrEqualTo(FLOOR);
  }

  @Test
  void seed_hasOneHistory() {
    List<Long> digests =
        List.of(Simulation.run(7).digest(), Simulation.run(7).digest(), Simulation.run(8).digest());
    assertThat(digests.get(0)).isEqualTo(digests.get(1)).isNotEqualTo(digests.get(2));
  }

  /** Quiet worlds prove nothing. */
  private static void isWorthSomething(Campaign campaign, long floor) {
    assertThat(campaign.medianOperations()).isGreaterThanOrEqualTo(60);
    assertThat(campaign.medianFaults()).isGreaterThanOrEqualTo(2);
    for (Rare rare : Rare.values()) {
      assertThat(campaign.seen(rare)).as(rare.name()).isGreaterThanOrEqualTo(floor);
    }
  }
}

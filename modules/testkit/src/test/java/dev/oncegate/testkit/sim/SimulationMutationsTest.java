package dev.oncegate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Outcome;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule that is broken on purpose is caught, and by which invariant. */
class SimulationMutationsTest {
  /** Worlds that a mutation may survive. */
  private static final int MOST_SEEDS = 3_000;

  /** The table: what is broken, and what catches it. */
  enum Mutation {
    COMPLETES_WITHOUT_TOKEN(server(StoreMutations::completesWithoutToken), "S7", "S5"),
    RELEASES_WITHOUT_TOKEN(server(StoreMutations::releasesWithoutToken), "S7"),
    TAKES_OVER_LAPSED_CLAIMS(server(StoreMutations::takesOverLapsedClaims), "S2"),
    IGNORES_FINGERPRINT_WHILE_CLAIMED(
        server(StoreMutations::ignoresFingerprintWhileClaimed), "S13"),
    KEEPS_NO_TOMBSTONE(server(StoreMutations::keepsNoTombstone), "S14", "S2"),
    COUNTS_TOKENS_IN_THE_ROW(server(StoreMutations::countsTokensInTheRow), "S7"),
    REVIVES_LAPSED_LEASES(server(StoreMutations::revivesLapsedLeases), "S7"),
    OVERWRITES_COMPLETIONS(server(StoreMutations::overwritesCompletions), "S4"),
    HIDES_FENCING(server(StoreMutations::hidesFencing), "S5"),
    SAYS_DONE_BEFORE_THE_COMMIT(connection(StoreMutations::saysDoneBeforeTheCommit), "S5"),
    SAYS_WON_BEFORE_THE_COMMIT(connection(StoreMutations::saysWonBeforeTheCommit), "S8"),
    RELEASES_WITHOUT_QUARANTINE(
        upkeep((real, memory) -> UpkeepMutations.releasesWithoutQuarantine(real)), "S12"),
    JUDGES_QUARANTINE_AT_SETTLING(
        upkeep((real, memory) -> UpkeepMutations.judgesQuarantineAtSettling(real)), "S12"),
    DELETES_OLD_UNKNOWNS(upkeep(UpkeepMutations::deletesOldUnknowns), "S14"),
    RELEASES_LAPSED_CLAIMS(upkeep(UpkeepMutations::releasesLapsedClaims), "S14"),
    EXPIRES_EARLY(upkeep(UpkeepMutations::expiresEarly), "S14"),
    ASKS_BEFORE_UNKNOWN(upkeep(UpkeepMutations::asksBeforeUnknown), "S11"),
    SENDS_TWICE(habits(true, false, false, false), "S9"),
    SENDS_WITHOUT_LEASE(habits(false, true, false, false), "S8"),
    /** Not a rule of ours: why assumption A2 has to hold. */
    REQUESTS_ARRIVE_AFTER_THE_QUARANTINE(habits(false, false, true, false), "S12"),
    CALLS_ABANDONED_NOT_SENT(habits(false, false, false, true), "S12", "S20"),
    CALLS_AMBIGUOUS_TRANSIENT(outcomes(), "S12", "S20");

    private final Variation variation;
    private final Set<String> caughtBy;

    Mutation(Variation variation, String... caughtBy) {
      this.variation = variation;
      this.caughtBy = Set.copyOf(List.of(caughtBy));
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutation_isCaught(Mutation mutation) {
    for (long seed = 0; seed < MOST_SEEDS; seed++) {
      try {
        Simulation.run(seed, mutation.variation);
      } catch (Simulation.Failed caught) {
        System.out.printf(
            "mutation %s is caught by seed %d: %s%n",
            mutation, seed, caught.getCause().getMessage());
        assertThat(caught.invariant()).as(caught.getMessage()).isIn(mutation.caughtBy);
        return;
      }
    }
    throw new AssertionError(mutation + " survives " + MOST_SEEDS + " seeds");
  }

  private static Variation server(Function<InMemoryRecordStore, RecordStore> mutated) {
    return new Variation() {
      @Override
      protected RecordStore server(InMemoryRecordStore memory) {
        return mutated.apply(memory);
      }
    };
  }

  private static Variation connection(UnaryOperator<RecordStore> mutated) {
    return new Variation() {
      @Override
      protected RecordStore connection(RecordStore connection) {
        return mutated.apply(connection);
      }
    };
  }

  private static Variation upkeep(
      BiFunction<InMemoryUpkeep, InMemoryRecordStore, RecordUpkeep> mutated) {
    return new Variation() {
      @Override
      protected RecordUpkeep upkeep(InMemoryUpkeep upkeep, InMemoryRecordStore memory) {
        return mutated.apply(upkeep, memory);
      }
    };
  }

  private static Variation habits(
      boolean sendsTwice, boolean ignoresLease, boolean unbounded, boolean abandonIsNotSent) {
    return new Variation() {
      @Override
      protected Habits habits() {
        return new Habits(sendsTwice, ignoresLease, unbounded, abandonIsNotSent);
      }
    };
  }

  private static Variation outcomes() {
    return new Variation() {
      @Override
      protected OutcomePolicy outcomes() {
        Map<Integer, Outcome> exact = new HashMap<>(OutcomePolicy.BUILT_IN.exact());
        exact.put(502, Outcome.TRANSIENT);
        exact.put(504, Outcome.TRANSIENT);
        return new OutcomePolicy(exact, OutcomePolicy.BUILT_IN.byClass());
      }
    };
  }
}

package dev.oncegate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Outcome;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import dev.oncegate.testkit.sim.Variation.Habits;
import io.vertx.core.Future;
import java.util.HashMap;
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

  /**
   * The table: what is broken, what catches it in rows and statements, and what catches it where
   * only clients and upstreams are looked at ("": it has no effect that they would see).
   */
  enum Mutation {
    COMPLETES_WITHOUT_TOKEN("S7 S5", "S5 S14", server(StoreMutations::completesWithoutToken)),
    RELEASES_WITHOUT_TOKEN("S7", "S1", server(StoreMutations::releasesWithoutToken)),
    TAKES_OVER_LAPSED_CLAIMS("S2", "S1", server(StoreMutations::takesOverLapsedClaims)),
    IGNORES_FINGERPRINT_WHILE_CLAIMED(
        "S13", "", server(StoreMutations::ignoresFingerprintWhileClaimed)),
    KEEPS_NO_TOMBSTONE("S2 S14", "S1", server(StoreMutations::keepsNoTombstone)),
    COUNTS_TOKENS_IN_THE_ROW("S7 C13", "", server(StoreMutations::countsTokensInTheRow)),
    REVIVES_LAPSED_LEASES("S7", "", server(StoreMutations::revivesLapsedLeases)),
    OVERWRITES_COMPLETIONS("S4", "", server(StoreMutations::overwritesCompletions)),
    HIDES_FENCING("S5", "S5", server(StoreMutations::hidesFencing)),
    SAYS_DONE_BEFORE_THE_COMMIT("S5", "S5", connection(StoreMutations::saysDoneBeforeTheCommit)),
    SAYS_WON_BEFORE_THE_COMMIT("S8", "S1 V2", connection(StoreMutations::saysWonBeforeTheCommit)),
    RELEASES_WITHOUT_QUARANTINE(
        "S12", "S1", upkeep((real, memory) -> UpkeepMutations.releasesWithoutQuarantine(real))),
    /** Its second effects are too rare for so few worlds; the rows show it soon. */
    JUDGES_QUARANTINE_AT_SETTLING(
        "S12", "", upkeep((real, memory) -> UpkeepMutations.judgesQuarantineAtSettling(real))),
    DELETES_OLD_UNKNOWNS("S14", "S1", upkeep(UpkeepMutations::deletesOldUnknowns)),
    RELEASES_LAPSED_CLAIMS("S14", "S1", upkeep(UpkeepMutations::releasesLapsedClaims)),
    EXPIRES_EARLY("S14", "S14", upkeep(UpkeepMutations::expiresEarly)),
    ASKS_BEFORE_UNKNOWN("S11", "", upkeep(UpkeepMutations::asksBeforeUnknown)),
    SENDS_TWICE("S9", "S9", habits(new Habits(true, false, false, false, false))),
    /** Here as well: whoever lost its lease has mostly sent before. */
    SENDS_WITHOUT_LEASE("S8", "", habits(new Habits(false, true, false, false, false))),
    /** Not a rule of ours: why assumption A2 has to hold. */
    REQUESTS_ARRIVE_AFTER_THE_QUARANTINE(
        "S12", "S1", habits(new Habits(false, false, true, false, false))),
    CALLS_ABANDONED_NOT_SENT(
        "S12 S17", "S20 S1", habits(new Habits(false, false, false, true, false))),
    DROPS_THE_UPSTREAM_KEY("S1", "S1", habits(new Habits(false, false, false, false, true))),
    /** Nothing bad happens, and nothing good either. */
    SWEEPS_NO_LAPSED_CLAIM(
        "V1", "", upkeep((real, memory) -> UpkeepMutations.sweepsNoLapsedClaim(real))),
    ASKS_NOBODY("V2", "", upkeep((real, memory) -> UpkeepMutations.asksNobody(real))),
    CALLS_AMBIGUOUS_TRANSIENT("S12", "S20", outcomes()),
    BELIEVES_MESSAGES("S17", "", WaitingMutations.believesMessages()),
    NEVER_POLLS("V3", "V3", WaitingMutations.neverPolls()),
    WAITS_WITHOUT_LIMIT("V3", "V3", WaitingMutations.waitsWithoutLimit()),
    WAITERS_TAKE_OVER("C06", "C06", WaitingMutations.waitersTakeOver()),
    COUNTS_THOSE_WHO_LEFT("V3", "V3", WaitingMutations.countsThoseWhoLeft()),
    KEEPS_ITS_SEATS("C07", "C07", WaitingMutations.keepsItsSeats()),
    TAKES_ALL_SEATS("C07", "C07", WaitingMutations.takesAllSeats());

    private final Set<String> inside;
    private final Set<String> outside;
    private final Variation variation;

    Mutation(String inside, String outside, Variation variation) {
      this.inside = Set.of(inside.split(" "));
      this.outside = outside.isEmpty() ? Set.of() : Set.of(outside.split(" "));
      this.variation = variation;
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutation_isCaught(Mutation mutation) {
    Simulation.Failed caught = caught(mutation, mutation.variation);
    assertThat(caught.invariant()).as(caught.getMessage()).isIn(mutation.inside);
  }

  @ParameterizedTest
  @EnumSource
  void mutation_isCaughtByWhatItDoes(Mutation mutation) {
    if (!mutation.outside.isEmpty()) {
      Simulation.Failed caught = caught(mutation, new Outside(mutation.variation));
      assertThat(caught.invariant()).as(caught.getMessage()).isIn(mutation.outside);
    }
  }

  private static Simulation.Failed caught(Mutation mutation, Variation variation) {
    for (long seed = 0; seed < MOST_SEEDS; seed++) {
      try {
        Simulation.run(seed, variation);
      } catch (Simulation.Failed caught) {
        System.out.printf(
            "mutation %s is caught by seed %d: %s%n",
            mutation, seed, caught.getCause().getMessage());
        return caught;
      }
    }
    throw new AssertionError(mutation + " survives " + MOST_SEEDS + " seeds");
  }

  /** The same mutation, looked at from outside. */
  private static final class Outside extends Variation {
    private final Variation mutated;

    Outside(Variation mutated) {
      this.mutated = mutated;
    }

    @Override
    protected boolean looksInside() {
      return false;
    }

    @Override
    protected RecordStore server(InMemoryRecordStore memory) {
      return mutated.server(memory);
    }

    @Override
    protected RecordUpkeep upkeep(InMemoryUpkeep upkeep, InMemoryRecordStore memory) {
      return mutated.upkeep(upkeep, memory);
    }

    @Override
    protected RecordStore connection(RecordStore connection) {
      return mutated.connection(connection);
    }

    @Override
    protected WaiterBus bus(WaiterBus bus) {
      return mutated.bus(bus);
    }

    @Override
    protected Time time(Time loop) {
      return mutated.time(loop);
    }

    @Override
    protected EngineEvents events(EngineEvents events, WaiterCounts counts) {
      return mutated.events(events, counts);
    }

    @Override
    protected Future<Answer> handle(
        IdempotencyEngine engine, Admission admission, Patience patience) {
      return mutated.handle(engine, admission, patience);
    }

    @Override
    protected OutcomePolicy outcomes() {
      return mutated.outcomes();
    }

    @Override
    protected Habits habits() {
      return mutated.habits();
    }
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

  private static Variation habits(Habits habits) {
    return new Variation() {
      @Override
      protected Habits habits() {
        return habits;
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

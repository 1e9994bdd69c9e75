package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Engines that break one rule of waiting each, by what surrounds them. */
final class WaitingMutations {
  private WaitingMutations() {}

  /** What a message says of a release is taken for the row. */
  static Variation believesMessages() {
    return new Variation() {
      private final Set<RecordId> believed = new HashSet<>();

      @Override
      protected WaiterBus bus(WaiterBus bus) {
        return new ForwardingBus(bus) {
          @Override
          public Future<Hint> attach(String owner, Waiting waiting) {
            return super.attach(owner, waiting)
                .onSuccess(
                    hint -> {
                      if (hint instanceof Hint.Released) {
                        believed.add(waiting.id());
                      }
                    });
          }
        };
      }

      @Override
      protected RecordStore connection(RecordStore connection) {
        return new ForwardingStore(connection) {
          @Override
          public Future<Optional<IdempotencyRecord>> read(RecordId id) {
            return believed.remove(id) ? Future.succeededFuture(Optional.empty()) : super.read(id);
          }
        };
      }
    };
  }

  /** Who waits relies on messages alone. */
  static Variation neverPolls() {
    return withoutTimersOf("ClaimWatch");
  }

  /** Who waits has no limit. */
  static Variation waitsWithoutLimit() {
    return withoutTimersOf("WaiterGroup");
  }

  private static Variation withoutTimersOf(String name) {
    return new Variation() {
      @Override
      protected Time time(Time loop) {
        return new ForwardingTime(loop) {
          @Override
          public Timer after(Duration delay, Runnable task) {
            return task.getClass().getName().contains("." + name + "$")
                ? () -> {}
                : super.after(delay, task);
          }
        };
      }
    };
  }

  /** After a release, whoever waited takes over: all of them knock at a failing upstream. */
  static Variation waitersTakeOver() {
    return new Variation() {
      @Override
      protected Future<Answer> handle(
          IdempotencyEngine engine, Admission admission, Patience patience) {
        return engine
            .handle(admission, patience)
            .compose(
                answer ->
                    answer instanceof Answer.Refusal refusal
                            && refusal.problem().type() == Problem.Type.ATTEMPT_RELEASED
                        ? engine.handle(admission, patience)
                        : Future.succeededFuture(answer));
      }
    };
  }

  /** Who hangs up goes on being counted. */
  static Variation countsThoseWhoLeft() {
    return new Variation() {
      @Override
      protected EngineEvents events(EngineEvents events, WaiterCounts counts) {
        return new EngineEvents() {
          @Override
          public void parked(String tenant) {
            events.parked(tenant);
          }

          @Override
          public void woken(String tenant, WokenBy by, Duration waited) {
            events.woken(tenant, by, waited);
          }

          @Override
          public void left(String tenant) {
            counts.enter(tenant, Integer.MAX_VALUE);
            events.left(tenant);
          }
        };
      }
    };
  }

  /** Places at an owner are never given back. */
  static Variation keepsItsSeats() {
    return new Variation() {
      @Override
      protected WaiterBus bus(WaiterBus bus) {
        return new ForwardingBus(bus) {
          @Override
          public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
            return wanted == 0 ? Future.succeededFuture(0) : super.seats(owner, waiting, wanted);
          }
        };
      }
    };
  }

  /** Nobody counts over several loops. */
  static Variation takesAllSeats() {
    return new Variation() {
      @Override
      protected WaiterBus bus(WaiterBus bus) {
        return new ForwardingBus(bus) {
          @Override
          public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
            return super.seats(owner, waiting, wanted).map(wanted);
          }
        };
      }
    };
  }

  private static class ForwardingBus implements WaiterBus {
    private final WaiterBus real;

    ForwardingBus(WaiterBus real) {
      this.real = real;
    }

    @Override
    public Future<Hint> attach(String owner, Waiting waiting) {
      return real.attach(owner, waiting);
    }

    @Override
    public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
      return real.seats(owner, waiting, wanted);
    }

    @Override
    public boolean isLocal(String owner) {
      return real.isLocal(owner);
    }

    @Override
    public boolean healthy() {
      return real.healthy();
    }
  }

  private static class ForwardingTime implements Time {
    private final Time real;

    ForwardingTime(Time real) {
      this.real = real;
    }

    @Override
    public long nanos() {
      return real.nanos();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return real.after(delay, task);
    }

    @Override
    public byte[] randomBytes(int count) {
      return real.randomBytes(count);
    }

    @Override
    public UUID randomId() {
      return real.randomId();
    }
  }
}

package dev.oncegate.parking.eventbus;

import dev.oncegate.parking.eventbus.BusMessage.Check;
import dev.oncegate.parking.eventbus.BusMessage.Checked;
import dev.oncegate.parking.eventbus.BusMessage.Ping;
import dev.oncegate.parking.eventbus.BusMessage.Pong;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the others find this node on the bus. Registrations are known to vanish when members
 * leave, or meet again after a split, and nobody is told; so each node asks every other one to call
 * all its addresses, and registers again those that were not reached. The answer itself needs no
 * registration.
 *
 * <p>A node whose own address for checks is lost is not asked by anybody else and may be asking
 * somebody of whom the same is true. So whoever does not reach a member registers its own again.
 *
 * <p>Alone with a list of several members, a node is in trouble: being cut off from the others and
 * their not running look the same, and it only makes waiters poll faster. Alone under a DNS name it
 * is not: nobody says that there should be others.
 *
 * <p>Belongs to the bus's own loop; {@link #trouble()} is read from any thread.
 */
final class BusCheck {
  private static final Logger LOG = LoggerFactory.getLogger(BusCheck.class);
  private static final String ADDRESS = "oncegate.check.";

  /** A member on the same network answers in a millisecond. */
  private static final Duration PING_LIMIT = Duration.ofSeconds(1);

  /** The other member waits for its pings before it answers. */
  private static final Duration CHECK_LIMIT = Duration.ofSeconds(3);

  private final Join join;
  private final Formation formation;
  private final Listening listening;
  private final Asker asker;
  private final String own;
  private volatile @Nullable String trouble = "the bus has not been checked yet";

  BusCheck(Join join, Formation formation, Listening listening, Asker asker) {
    this.join = join;
    this.formation = formation;
    this.listening = listening;
    this.asker = asker;
    this.own = ADDRESS + formation.id();
  }

  /** Lets the other members ask. */
  void listen() {
    listening.listen(own, this::asked);
  }

  /** What is not as it should be; empty: all members reach all addresses of this one. */
  Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** Asks every other member; completes once all have answered or had their time. Never fails. */
  Future<Void> runOnce() {
    List<String> others = new ArrayList<>(formation.members());
    others.remove(formation.id());
    Check question = new Check(listening.addresses());
    List<Future<Reply>> asked =
        others.stream().map(id -> asker.ask(ADDRESS + id, question, CHECK_LIMIT)).toList();
    return Future.join(asked)
        .transform(
            all -> {
              judge(asked);
              return Future.succeededFuture();
            });
  }

  private void judge(List<Future<Reply>> asked) {
    Set<String> lost = new HashSet<>();
    int silent = 0;
    for (Future<Reply> each : asked) {
      if (each.succeeded() && each.result() instanceof Checked checked) {
        lost.addAll(checked.lost());
      } else {
        silent++;
      }
    }
    if (silent > 0) {
      lost.add(own);
      formation.tellAddressAgain();
    }
    lost.forEach(listening::renew);
    say(words(asked.size(), silent, lost.size()));
  }

  private @Nullable String words(int others, int silent, int lost) {
    if (silent > 0) {
      return silent + " of " + others + " other members not reached over the bus";
    }
    if (lost > 0) {
      return lost + " addresses were not found by other members, and are registered again";
    }
    boolean alone = others == 0 && join instanceof Join.Members list && list.members().size() > 1;
    return alone ? "no other member is reached" : null;
  }

  private void say(@Nullable String now) {
    if (!Objects.equals(trouble, now)) {
      LOG.atInfo()
          .addKeyValue("members", formation.members().size())
          .log(now == null ? "the bus reaches everybody" : "bus in trouble: " + now);
    }
    trouble = now;
  }

  /** Another member asks whether its addresses are found from here. */
  private @Nullable Future<Reply> asked(Question question) {
    if (question instanceof Check check) {
      return called(check.addresses());
    }
    return question instanceof Ping ? Future.succeededFuture(new Pong()) : null;
  }

  private Future<Reply> called(List<String> addresses) {
    List<Future<Reply>> pings =
        addresses.stream().map(address -> asker.ask(address, new Ping(), PING_LIMIT)).toList();
    return Future.join(pings)
        .transform(all -> Future.succeededFuture(new Checked(unanswered(addresses, pings))));
  }

  private static List<String> unanswered(List<String> addresses, List<Future<Reply>> pings) {
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (!pings.get(i).succeeded()) {
        lost.add(addresses.get(i));
      }
    }
    return lost;
  }
}

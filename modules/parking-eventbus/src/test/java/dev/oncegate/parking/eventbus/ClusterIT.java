package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.multimap.MultiMap;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.ScriptedWinners;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster of three that is lied to, cut apart and robbed of its registrations. */
class ClusterIT {
  private static final FencingToken TOKEN = new FencingToken(41);
  private static final LoopsUnderTest LOOPS = new LoopsUnderTest();
  private static final Members MEMBERS = new Members(3);
  private static final Buses[] NODES = new Buses[3];
  private static final ScriptedWinners[] WINNERS = new ScriptedWinners[3];

  private final RecordId id = Records.anyId();

  @BeforeAll
  static void form() {
    for (int i = 0; i < 3; i++) {
      NODES[i] = MEMBERS.start(i);
      WINNERS[i] = new ScriptedWinners();
      NODES[i].serve(owner(i), LOOPS.owning(), WINNERS[i]);
    }
    Members.untilHealthy(NODES);
    allFind(3);
  }

  @AfterAll
  static void close() {
    MEMBERS.close();
    LOOPS.close();
  }

  @Test
  void forgedQuestions_areNotAnswered() {
    EventBus bus = node(1).formation().vertx().eventBus();
    WINNERS[0].begin(id, TOKEN, 3);
    int asked = WINNERS[0].askedOn().size();
    byte[] noise = new byte[200];
    new Random(5).nextBytes(noise);
    BusCodec stranger = new BusCodec(new BusKeys(BusCodecTest.secret(9), List.of()));
    Waiting waiting = waiting(Duration.ofSeconds(5));

    bus.send(owner(0), Buffer.buffer(noise));
    bus.send(owner(0), "text");
    bus.send(owner(0), noise);
    bus.send(owner(0), new JsonObject().put("attach", id.hex()));
    bus.send(owner(0), stranger.question(owner(0), new BusMessage.Attach(waiting)).message());
    bus.send(
        "oncegate.check." + node(0).formation().id(),
        stranger
            .question(
                "oncegate.check." + node(0).formation().id(),
                new BusMessage.Check(List.of(owner(1))))
            .message());

    LoopsUnderTest.until(() -> refusedBy(0) >= 6);
    assertThat(WINNERS[0].askedOn()).hasSize(asked);
    assertThat(seats(1, 0)).as("a true question still is").isEqualTo(1);
  }

  @Test
  void forgedReplies_areNoAnswer() {
    String trap = "oncegate.owner.trap." + id.prefix();
    BusCodec stranger = new BusCodec(new BusKeys(BusCodecTest.secret(9), List.of()));
    node(1)
        .formation()
        .vertx()
        .eventBus()
        .consumer(
            trap,
            message ->
                message.reply(
                    stranger.reply(
                        Bytes.EMPTY, new BusMessage.HintReply(id, TOKEN, new Hint.Settled()))))
        .completion()
        .await();
    long refused = refusedBy(0);

    assertThatThrownBy(() -> attach(0, trap, Duration.ofSeconds(5)).await())
        .hasMessageContaining("none of ours");
    assertThat(refusedBy(0)).isGreaterThan(refused);
  }

  @Test
  void lostRegistrations_areNoticedAndMadeAgain() {
    MultiMap<String, Object> registrations = hazelcast(2).getMultiMap("__vertx.subs");
    registrations.remove(owner(0));
    registrations.remove("oncegate.check." + node(0).formation().id());

    allFind(3);
    assertThat(registrations.get(owner(0))).hasSize(1);
    assertThat(seats(1, 0)).isEqualTo(1);
    Members.untilHealthy(NODES);
  }

  @Test
  void allRegistrationsLostAtOnce_areMadeAgain() {
    hazelcast(0).getMultiMap("__vertx.subs").clear();

    allFind(3);
    Members.untilHealthy(NODES);
  }

  @Test
  void splitAndMerge_troubleEnds_andAllAreFound() {
    ClusterServiceImpl cluster =
        ((HazelcastInstanceProxy) hazelcast(0)).getOriginal().node.getClusterService();
    for (int other = 1; other < 3; other++) {
      cluster.suspectMember(
          Objects.requireNonNull(
              cluster.getMember(hazelcast(other).getCluster().getLocalMember().getUuid())),
          "cut off",
          true);
    }
    LoopsUnderTest.until(() -> NODES[0].trouble().isPresent());
    assertThat(NODES[0].bus(LOOPS.waiting()).healthy()).isFalse();

    Members.untilHealthy(NODES);
    LoopsUnderTest.until(() -> hazelcast(0).getCluster().getMembers().size() == 3);
    allFind(3);
    Members.untilHealthy(NODES);
  }

  @Test
  void attachBeforeASplit_isAnsweredAllTheSame_orByItsTime() {
    WINNERS[2].begin(id, TOKEN, 1);
    Future<Hint> hint = attach(1, owner(2), Duration.ofSeconds(20));
    LoopsUnderTest.until(() -> WINNERS[2].attached(id, TOKEN) == 1);
    hazelcast(2).getMultiMap("__vertx.subs").clear();
    WINNERS[2].end(id, TOKEN, new Hint.Released(503, Optional.empty()));

    assertThat(hint.await()).as("replies need no registration").isInstanceOf(Hint.Released.class);
    allFind(3);
  }

  private static void allFind(int count) {
    for (int from = 0; from < count; from++) {
      for (int to = 0; to < count; to++) {
        int asking = from;
        int asked = to;
        LoopsUnderTest.until(() -> Members.pinged(NODES[asking], owner(asked)));
      }
    }
  }

  private int seats(int from, int at) {
    WaiterBus bus = NODES[from].bus(LOOPS.waiting());
    return LOOPS
        .ask(bus, b -> b.seats(owner(at), waiting(Duration.ofSeconds(5)), 1))
        .await()
        .result();
  }

  private Future<Hint> attach(int from, String owner, Duration timeLeft) {
    return LOOPS
        .ask(NODES[from].bus(LOOPS.waiting()), b -> b.attach(owner, waiting(timeLeft)))
        .map(completed -> completed.result());
  }

  private Waiting waiting(Duration timeLeft) {
    return new Waiting(id, TOKEN, "oncegate.owner.test.w", timeLeft);
  }

  private static long refusedBy(int node) {
    return Objects.requireNonNull(NODES[node].cluster()).refused();
  }

  private static ClusterNode node(int index) {
    return Objects.requireNonNull(Objects.requireNonNull(NODES[index].cluster()).node());
  }

  private static HazelcastInstance hazelcast(int index) {
    return node(index).formation().hazelcast();
  }

  private static String owner(int node) {
    return "oncegate.owner.node" + node + ".0";
  }
}

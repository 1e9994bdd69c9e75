package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.FencingToken;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import dev.oncegate.parking.eventbus.ClusterSettings.Tls;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.ScriptedWinners;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that form late, end early, or talk to their own kind alone. */
class ClusterStartIT {
  private static final String OWNER = "oncegate.owner.test.0";

  private final LoopsUnderTest loops = new LoopsUnderTest();
  private final Members members = new Members(2);

  @AfterEach
  void close() {
    members.close();
    loops.close();
  }

  @Test
  void takenPorts_areTriedUntilTheyAreFree_andLeaveNothingBehind() throws IOException {
    ScriptedWinners winners = new ScriptedWinners();
    Buses late;
    ServerSocket member = taken(members.memberPort(0));
    try (ServerSocket bus = taken(members.busPort(0))) {
      late = members.start(0);
      late.serve(OWNER, loops.owning(), winners);
      untilTrouble(late, "the cluster has not formed: ");
      assertThat(late.bus(loops.waiting()).healthy()).isFalse();
      assertThat(seats(late, OWNER)).as("in memory nothing is missing").isEqualTo(1);
      assertThatThrownBy(() -> seats(late, "oncegate.owner.other.0"))
          .hasMessageContaining("not formed");

      member.close();
      // Now Hazelcast starts, and stops again, since the bus cannot listen.
      untilTrouble(late, "Address already in use");
      assertThat(threads("hz.")).as("of members that were given up").isLessThan(5);
    }
    Buses other = members.start(1);
    Members.untilHealthy(late, other);
    assertThat(threads("hz.")).as("of members that run").isGreaterThan(5);
    LoopsUnderTest.until(() -> Members.pinged(other, OWNER));
    assertThat(seats(other, OWNER)).isEqualTo(1);
  }

  @Test
  void ownerThatDies_isNoAnswer() {
    Buses dying = members.start(0);
    Buses asking = members.start(1);
    ScriptedWinners winners = new ScriptedWinners();
    dying.serve(OWNER, loops.owning(), winners);
    Members.untilHealthy(dying, asking);
    LoopsUnderTest.until(() -> Members.pinged(asking, OWNER));
    Waiting waiting = waiting(Duration.ofSeconds(2));
    winners.begin(waiting.id(), waiting.token(), 1);
    WaiterBus bus = asking.bus(loops.waiting());
    Future<?> attached = loops.ask(bus, b -> b.attach(OWNER, waiting));
    LoopsUnderTest.until(() -> winners.attached(waiting.id(), waiting.token()) == 1);

    node(dying).formation().hazelcast().getLifecycleService().terminate();
    LoopsUnderTest.until(() -> asking.trouble().isPresent());
    assertThat(bus.healthy()).isFalse();
    await().atMost(Duration.ofSeconds(10)).until(attached::isComplete);
    assertThat(attached.failed()).isTrue();
    assertThatThrownBy(() -> loops.ask(bus, b -> b.attach(OWNER, waiting)).await())
        .isInstanceOf(RuntimeException.class);

    // What has died was a part of its process: it notices, and is back by itself.
    Members.untilHealthy(dying, asking);
    LoopsUnderTest.until(() -> Members.pinged(asking, OWNER));
  }

  @Test
  void aloneUnderAName_isNoTrouble_amongAListItIs() {
    Buses alone = members.start(0);
    untilTrouble(alone, "no other member is reached");

    ClusterSettings listed = members.settings(1, Optional.empty());
    Buses named =
        Buses.clustered(
            new ClusterSettings(
                "of-its-own",
                new Join.Dns("localhost"),
                listed.place(),
                listed.tls(),
                Members.FAST),
            new BusKeys(BusCodecTest.SECRET, List.of()));
    try {
      Members.untilHealthy(named);
    } finally {
      named.close().await();
    }
  }

  @Test
  void leavingWhileJoining_keepsNobodyWaiting() {
    Buses joining = members.start(0);
    assertThat(joining.close().isComplete() || joining.close().await() == null).isTrue();
    assertThat(joining.trouble()).isPresent();
    assertThatThrownBy(() -> seats(joining, OWNER)).isInstanceOf(RuntimeException.class);
    await().atMost(Duration.ofSeconds(30)).until(() -> threads("oncegate-cluster") == 0);
  }

  @Test
  void tls_isSpokenWithThoseOfTheSameAuthority(@TempDir Path directory) throws Exception {
    TestCertificate one = TestCertificate.make(directory, "one", "ip:127.0.0.1");
    TestCertificate two = TestCertificate.make(directory, "two", "ip:127.0.0.1");
    Path both = directory.resolve("both.crt");
    Files.writeString(
        both, Files.readString(one.certificate()) + Files.readString(two.certificate()));
    Buses first = members.start(0, BusCodecTest.SECRET, tls(one, both));
    ScriptedWinners winners = new ScriptedWinners();
    first.serve(OWNER, loops.owning(), winners);
    Buses second = members.start(1, BusCodecTest.SECRET, tls(two, both));
    Members.untilHealthy(first, second);
    LoopsUnderTest.until(() -> Members.pinged(second, OWNER));
    assertThat(seats(second, OWNER)).isEqualTo(1);
    second.close().await();

    TestCertificate wrong = TestCertificate.make(directory, "wrong", "ip:127.0.0.1");
    Path trusting = directory.resolve("trusting.crt");
    Files.writeString(trusting, Files.readString(both) + Files.readString(wrong.certificate()));
    assertIsNotTalkedTo(members.start(1, BusCodecTest.SECRET, tls(wrong, trusting)), first);
  }

  private void assertIsNotTalkedTo(Buses stranger, Buses first) {
    untilTrouble(stranger, "1 of 1 other members not reached");
    untilTrouble(first, "1 of 1 other members not reached");
    assertThatThrownBy(() -> seats(stranger, OWNER)).isInstanceOf(RuntimeException.class);
  }

  private int seats(Buses from, String owner) {
    return loops
        .ask(from.bus(loops.waiting()), b -> b.seats(owner, waiting(Duration.ofSeconds(2)), 1))
        .await()
        .result();
  }

  private static Waiting waiting(Duration timeLeft) {
    return new Waiting(Records.anyId(), new FencingToken(3), "oncegate.owner.test.w", timeLeft);
  }

  private static Optional<Tls> tls(TestCertificate own, Path authority) {
    return Optional.of(
        new Tls(own.certificate().toString(), own.key().toString(), authority.toString()));
  }

  private static void untilTrouble(Buses buses, String words) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(buses.trouble().orElse("")).contains(words));
  }

  private static ClusterNode node(Buses buses) {
    return Objects.requireNonNull(Objects.requireNonNull(buses.cluster()).node());
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }

  private static ServerSocket taken(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}

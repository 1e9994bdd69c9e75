package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.GatewayConfig.Cluster;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnAddressTest {
  @Test
  void addressThatIsGiven_isTaken() {
    assertThat(OwnAddress.of(cluster(List.of("127.0.0.1"), Optional.empty(), "node-1.example")))
        .contains("node-1.example");
  }

  @Test
  void membersOfOneMachine_meetOnItsLoopback() {
    assertThat(OwnAddress.of(cluster(List.of("127.0.0.1"), Optional.empty(), "")))
        .contains("127.0.0.1");
  }

  @Test
  void ownNameOnTheLoopback_isPassedOver() {
    assertThat(found(Map.of("node-1", "127.0.0.1", "node-2", "10.0.0.1"), "node-1", "node-2"))
        .contains("10.0.0.1");
  }

  @Test
  void memberThatIsNotKnown_isPassedOver() {
    assertThat(found(Map.of("node-2", "10.0.0.1"), "node-1", "node-2")).contains("10.0.0.1");
  }

  @Test
  void nameOfAllNodes_isTakenLikeAMember() {
    Cluster cluster = cluster(List.of(), Optional.of("nodes"), "");
    assertThat(OwnAddress.found(cluster, ways(Map.of("nodes", "10.0.0.1")))).contains("10.0.0.1");
  }

  @Test
  void loopback_isNothingToTellTheOthers_whileSomebodyIsNotKnown() {
    assertThat(found(Map.of("node-1", "127.0.0.1"), "node-1", "node-2"))
        .isNotEqualTo(Optional.of("127.0.0.1"));
  }

  @Test
  void nobodyIsKnownYet_isTheAddressOfTheOwnName_ifThatLeadsHere() throws Exception {
    Cluster cluster = cluster(List.of(), Optional.of("nodes"), "");
    InetAddress own = InetAddress.getLocalHost();
    assertThat(OwnAddress.found(cluster, ways(Map.of())))
        .isEqualTo(own.isLoopbackAddress() ? Optional.empty() : Optional.of(own.getHostAddress()));
  }

  private static Optional<String> found(Map<String, String> ways, String... members) {
    return OwnAddress.found(cluster(List.of(members), Optional.empty(), ""), ways(ways));
  }

  private static OwnAddress.Ways ways(Map<String, String> ours) {
    return other -> {
      String address = ours.get(other.host());
      if (address == null) {
        throw new UnknownHostException(other.host());
      }
      return List.of(InetAddress.getByName(address));
    };
  }

  private static Cluster cluster(List<String> members, Optional<String> dns, String host) {
    return new Cluster(
        "oncegate",
        members.stream().map(member -> new Address(member, 5701)).toList(),
        dns,
        Optional.of(host).filter(given -> !given.isEmpty()),
        5701,
        5702,
        Optional.empty(),
        Duration.ofSeconds(5));
  }
}

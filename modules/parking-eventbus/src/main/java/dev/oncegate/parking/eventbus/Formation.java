package dev.oncegate.parking.eventbus;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;
import java.util.UUID;

/**
 * A member of the cluster and the Vert.x on top of it. Hazelcast is made here and not by the
 * cluster manager: a manager whose Hazelcast did not start cannot be closed, and one attempt after
 * the other would leave its threads behind.
 */
record Formation(HazelcastInstance hazelcast, HazelcastClusterManager manager, Vertx vertx) {
  /** Under which vertx-hazelcast looks for a member's id. */
  private static final String NODE_ID = "__vertx.nodeId";

  /** Blocks while the member joins; throws where it cannot. Fails where the bus cannot listen. */
  static Future<Formation> start(ClusterSettings settings) {
    Config config = HazelcastConfig.of(settings);
    config.getMemberAttributeConfig().setAttribute(NODE_ID, UUID.randomUUID().toString());
    HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance(config);
    try {
      String published = hazelcast.getCluster().getLocalMember().getAddress().getHost();
      String bound = settings.place().host().orElse("0.0.0.0");
      HazelcastClusterManager manager = new HazelcastClusterManager(hazelcast);
      return Vertx.builder()
          .with(BusOptions.of(settings, bound, published))
          .withClusterManager(manager)
          .buildClustered()
          .map(vertx -> new Formation(hazelcast, manager, harmless(vertx)))
          .onFailure(failed -> hazelcast.getLifecycleService().terminate());
    } catch (RuntimeException e) {
      hazelcast.getLifecycleService().terminate();
      throw e;
    }
  }

  /** Bytes from the wire are never made into objects of a class that they name. */
  private static Vertx harmless(Vertx vertx) {
    vertx.eventBus().serializableChecker(name -> false).clusterSerializableChecker(name -> false);
    return vertx;
  }

  /** Its own id as the others know it. */
  String id() {
    return manager.getNodeId();
  }

  /** The ids of all members, this one included. */
  List<String> members() {
    return manager.getNodes();
  }

  boolean running() {
    return hazelcast.getLifecycleService().isRunning();
  }

  /** Publishes once more where the event bus of this member listens. Best effort. */
  void tellAddressAgain() {
    Promise<Void> told = Promise.promise();
    manager.setNodeInfo(manager.getNodeInfo(), told);
  }

  /** Blocks for some seconds at most. */
  void stopHazelcast() {
    hazelcast.getLifecycleService().shutdown();
  }
}

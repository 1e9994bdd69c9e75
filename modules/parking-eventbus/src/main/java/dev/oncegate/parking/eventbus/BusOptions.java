package dev.oncegate.parking.eventbus;

import dev.oncegate.parking.eventbus.ClusterSettings.Tls;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;

/** The clustered Vert.x: small, since all that it does is to carry messages. */
final class BusOptions {
  private static final int LOOPS = 2;

  /** Look-ups of addresses block them, each for a call's timeout while members are cut off. */
  private static final int WORKERS = 8;

  /** A member that does not take a connection by then is not reached; its messages do not queue. */
  private static final int CONNECT_MILLIS = 2000;

  /** Half of the time in which a connection to a member that was cut off is noticed to be dead. */
  private static final int PING_MILLIS = 5000;

  private BusOptions() {}

  /**
   * The options.
   *
   * @param bound address that the event bus binds
   * @param published address at which the others reach it
   */
  static VertxOptions of(ClusterSettings settings, String bound, String published) {
    EventBusOptions bus =
        new EventBusOptions()
            .setHost(bound)
            .setPort(settings.place().busPort())
            .setClusterPublicHost(published)
            .setClusterPublicPort(settings.place().busPort())
            .setConnectTimeout(CONNECT_MILLIS)
            .setClusterPingInterval(PING_MILLIS)
            .setClusterPingReplyInterval(PING_MILLIS);
    settings.tls().ifPresent(tls -> secure(bus, tls));
    return new VertxOptions()
        .setEventBusOptions(bus)
        .setEventLoopPoolSize(LOOPS)
        .setWorkerPoolSize(WORKERS)
        .setInternalBlockingPoolSize(LOOPS)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  private static void secure(EventBusOptions bus, Tls tls) {
    bus.setSsl(true)
        .setKeyCertOptions(
            new PemKeyCertOptions().setCertPath(tls.certificate()).setKeyPath(tls.key()))
        .setTrustOptions(new PemTrustOptions().addCertPath(tls.authority()))
        .setClientAuth(ClientAuth.REQUIRED);
  }
}

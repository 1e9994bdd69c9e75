package dev.oncegate.app.proof;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.TimeUnit;

/** Lets others in to a port of 127.0.0.1. */
final class Relay implements AutoCloseable {
  private final NetServer server;

  private Relay(NetServer server) {
    this.server = server;
  }

  /** Listens on a free port of the address. */
  static Relay at(Vertx vertx, String address, int port) throws Exception {
    var client = vertx.createNetClient();
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(
                from -> {
                  from.pause();
                  client
                      .connect(port, "127.0.0.1")
                      .onSuccess(to -> join(from, to))
                      .onFailure(refused -> from.close());
                });
    return new Relay(server.listen(0, address).await(60, TimeUnit.SECONDS));
  }

  int port() {
    return server.actualPort();
  }

  private static void join(NetSocket one, NetSocket other) {
    one.pipeTo(other);
    other.pipeTo(one);
    one.closeHandler(closed -> other.close());
    other.closeHandler(closed -> one.close());
  }

  @Override
  public void close() throws Exception {
    server.close().await(60, TimeUnit.SECONDS);
  }
}

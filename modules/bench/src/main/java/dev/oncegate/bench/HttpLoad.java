package dev.oncegate.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** Connections that each carry one request with a new key at a time. */
final class HttpLoad {
  private final Deque<Connection> idle = new ArrayDeque<>();

  /** Held: a client that nobody holds is closed, with its connections. */
  private final NetClient client;

  private final String tenant;

  private HttpLoad(NetClient client, String tenant) {
    this.client = client;
    this.tenant = tenant;
  }

  static Future<HttpLoad> connect(Vertx vertx, int port, int connections) {
    return connect(vertx, port, connections, "acme");
  }

  /** Connects; to be called, as all here, on the loop that the load runs on. */
  static Future<HttpLoad> connect(Vertx vertx, int port, int connections, String tenant) {
    HttpLoad load = new HttpLoad(vertx.createNetClient(), tenant);
    List<Future<?>> made = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      made.add(Connection.open(load.client, port).onSuccess(load.idle::add));
    }
    return Future.all(made).map(load);
  }

  /** One first execution; fails with anything but 201, and where all connections are taken. */
  Future<Void> execute() {
    Connection connection = idle.poll();
    if (connection == null) {
      return Future.failedFuture("no connection is free");
    }
    return connection
        .charge(tenant, UUID.randomUUID().toString())
        .onComplete(answered -> idle.add(connection))
        .compose(
            answered ->
                answered.status().equals("201")
                    ? Future.succeededFuture()
                    : Future.failedFuture("answered with " + answered.status()));
  }

  Future<Void> close() {
    return client.close();
  }
}

package dev.oncegate.store.postgres;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.util.Map;

/**
 * Makes and cuts connections: the one place that reaches below the client's own interface, because
 * its options know neither TCP keep-alive nor a close that does not wait for the server, and its
 * {@code PgConnection.connect} leaves a close hook behind for each connection that breaks.
 */
final class Wire {
  private final ConnectionFactory<PgConnectOptions> factory;
  private final PgConnectOptions options;

  Wire(Vertx vertx, PgConnectOptions options) {
    this.factory = PgDriver.INSTANCE.createConnectionFactory(vertx, new NetClientOptions());
    this.options = options;
  }

  /**
   * Options of a lane's connections.
   *
   * @param name as Postgres shows it
   * @param session what its planner, or anything else, is told
   */
  static PgConnectOptions prepared(
      PgConnectOptions given, String name, PgStoreSettings settings, Map<String, String> session) {
    PgConnectOptions options = new PgConnectOptions(given);
    options
        // Behind a transaction pooler a prepared statement may be on another server connection.
        .setCachePreparedStatements(!given.getUseLayer7Proxy())
        .setPreparedStatementCacheSqlLimit(16_384)
        // The lanes try again themselves.
        .setReconnectAttempts(0)
        .addProperty("application_name", name)
        // The statements rest on READ COMMITTED, whatever the server's own default.
        .addProperty("default_transaction_isolation", "read committed")
        .addProperty("lock_timeout", Long.toString(settings.lockTimeout().toMillis()));
    session.forEach(options::addProperty);
    return options;
  }

  /** A connection that belongs to that context, with the kernel looking for a peer that is gone. */
  Future<PgConnection> connect(Context context) {
    return factory
        .connect(context, options)
        .map(
            made -> {
              PgConnection connection = PgConnection.cast(made);
              channel(connection).config().setOption(ChannelOption.SO_KEEPALIVE, true);
              return connection;
            });
  }

  /**
   * To be called once all connections are closed. Nobody waits for it: it ends when the last try to
   * connect has, and a frozen server lets that be never.
   */
  void close() {
    factory.close(Promise.promise());
  }

  /**
   * Ends the connection now. Not a cancel request: that would let a commit which waits for its
   * standby succeed locally (reliability finding 6). The server finishes the statement or not.
   */
  static void cut(PgConnection connection) {
    channel(connection).close();
  }

  private static Channel channel(PgConnection connection) {
    return ((SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap())
        .socket()
        .channelHandlerContext()
        .channel();
  }
}

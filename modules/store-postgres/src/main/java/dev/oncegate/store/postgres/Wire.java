package dev.oncegate.store.postgres;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/**
 * The socket under a connection: the one place that reaches into the client's internals, because
 * its options know neither TCP keep-alive nor a close that does not wait for the server.
 */
final class Wire {
  private Wire() {}

  /** Lets the kernel notice a peer that is gone while the connection idles. */
  static void keepAlive(PgConnection connection) {
    channel(connection).config().setOption(ChannelOption.SO_KEEPALIVE, true);
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

package dev.oncegate.gateway.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers as soon as it has read the first bytes of a request, and reads no further. */
final class EarlyUpstream implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final String answer;

  EarlyUpstream(String answer) throws IOException {
    this.answer = answer;
    Thread accepting = new Thread(this::accept, "early-upstream");
    accepting.setDaemon(true);
    accepting.start();
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return sockets.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        socket.getInputStream().readNBytes(64);
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}

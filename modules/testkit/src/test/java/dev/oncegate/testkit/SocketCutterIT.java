package dev.oncegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.testkit.SocketCutter.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketCutterIT {
  private ServerSocket server;
  private SocketCutter cutter;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    cutter = SocketCutter.before("127.0.0.1", server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    cutter.close();
    server.close();
  }

  @Test
  void untouched_bytesPassBothWays() throws IOException {
    try (Socket client = client();
        Socket accepted = server.accept()) {
      send(client, "ping");
      assertThat(read(accepted, 4)).isEqualTo("ping");
      send(accepted, "pong!");
      assertThat(read(client, 5)).isEqualTo("pong!");
      assertThat(cutter.passed(Direction.TO_CLIENT)).isEqualTo(5);
    }
  }

  @Test
  void cutAfter_exactlySoManyBytesArrive() throws IOException {
    cutter.cutAfter(Direction.TO_SERVER, 3);
    try (Socket client = client();
        Socket accepted = server.accept()) {
      send(client, "request");
      assertThat(new String(accepted.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo("req");
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(cutter.cuts()).isEqualTo(1);
    untouched_bytesPassBothWays();
  }

  @Test
  void swallowed_bytesNeverArriveAndLaterOnesDo() throws IOException {
    try (Socket client = client();
        Socket accepted = server.accept()) {
      send(client, "a");
      assertThat(read(accepted, 1)).isEqualTo("a");
      cutter.swallow(Direction.TO_CLIENT, true);
      send(accepted, "lost");
      send(client, "b");
      assertThat(read(accepted, 1)).isEqualTo("b");
      cutter.cutAll();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void muted_onlyTheNextConnectionHearsNothing() throws IOException {
    cutter.mute(1);
    try (Socket client = client();
        Socket accepted = server.accept()) {
      send(client, "a");
      assertThat(read(accepted, 1)).isEqualTo("a");
      send(accepted, "lost");
      client.setSoTimeout(200);
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
    }
    untouched_bytesPassBothWays();
    assertThat(cutter.connections()).isEqualTo(2);
  }

  private Socket client() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), cutter.port());
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(Socket socket, int count) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readNBytes(count), StandardCharsets.US_ASCII);
  }
}

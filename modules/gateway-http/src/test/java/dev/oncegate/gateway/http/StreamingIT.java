package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A passthrough route holds back whoever is faster, both ways: its memory does not grow. */
class StreamingIT extends GatewayTestBase {
  private static final long SIZE = 200_000_000;
  private static final int PART = 64 * 1024;

  /** Sockets of four connections in a row, with all their buffers, hold less than this. */
  private static final long HELD = 64_000_000;

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private volatile HttpServerRequest held;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    HttpServer server = vertx.createHttpServer();
    server.requestHandler(this::serve);
    Gateway.await(server.listen(0, "127.0.0.1"));
    open(() -> Gateway.await(server.close()));
    gateway =
        open(
            Gateway.before(vertx, server.actualPort(), Policies.passthrough("files", "/files/**")));
  }

  private void serve(HttpServerRequest request) {
    request.exceptionHandler(gone -> cancelled.countDown());
    request.response().exceptionHandler(gone -> {});
    request.response().closeHandler(gone -> cancelled.countDown());
    if (request.method().name().equals("GET")) {
      pour(request.response().putHeader("Content-Length", String.valueOf(SIZE)));
      return;
    }
    request.pause();
    held = request;
    request.handler(part -> received.addAndGet(part.length()));
    request.endHandler(end -> request.response().end("read"));
    arrived.countDown();
  }

  private void pour(HttpServerResponse response) {
    Buffer part = Buffer.buffer(new byte[PART]);
    while (sent.get() < SIZE && !response.writeQueueFull()) {
      long rest = SIZE - sent.get();
      Buffer next = rest < PART ? part.getBuffer(0, (int) rest) : part;
      sent.addAndGet(next.length());
      if (sent.get() == SIZE) {
        response.end(next);
        return;
      }
      response.write(next);
    }
    response.drainHandler(drained -> pour(response));
  }

  @Test
  void slowReader_holdsTheUpstreamBack_andGetsAll() throws Exception {
    try (Socket client = connect()) {
      write(client, "GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
      await().until(() -> sent.get() > 0);
      untilStill(sent);
      assertThat(sent.get()).isLessThan(HELD);
      InputStream in = client.getInputStream();
      long read = 0;
      byte[] part = new byte[PART];
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        read += n;
      }
      assertThat(read).isGreaterThan(SIZE);
    }
  }

  @Test
  void slowUpstream_holdsTheSenderBack_andGetsAll() throws Exception {
    try (Socket client = connect()) {
      AtomicLong written = new AtomicLong();
      Thread sender =
          new Thread(
              () -> {
                try {
                  OutputStream out = client.getOutputStream();
                  write(
                      client,
                      "PUT /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
                          + SIZE
                          + "\r\n\r\n");
                  byte[] part = new byte[100_000];
                  while (written.get() < SIZE) {
                    out.write(part);
                    written.addAndGet(part.length);
                  }
                } catch (Exception gone) {
                  // The test is over.
                }
              },
              "sender");
      sender.setDaemon(true);
      sender.start();
      assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
      untilStill(written);
      assertThat(written.get()).isLessThan(HELD);
      held.resume();
      await().atMost(Duration.ofMinutes(3)).until(() -> received.get() == SIZE);
      byte[] status = client.getInputStream().readNBytes(12);
      assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void readerThatLeaves_cancelsTheUpstream() throws Exception {
    Socket client = connect();
    write(client, "GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await().until(() -> sent.get() > 0);
    client.close();
    assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(sent.get()).isLessThan(SIZE);
  }

  @Test
  void senderThatLeaves_cancelsTheUpstream() throws Exception {
    Socket client = connect();
    write(
        client,
        "PUT /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nfirst bytes");
    assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
    held.resume();
    await().until(() -> received.get() > 0);
    client.close();
    assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Waits until a count has not moved for a while: both sides are full, or one is broken. */
  private static void untilStill(AtomicLong count) {
    AtomicLong last = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .atMost(Duration.ofMinutes(3))
        .until(() -> last.getAndSet(count.get()) == count.get());
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void write(Socket socket, String ascii) throws Exception {
    socket.getOutputStream().write(ascii.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }
}

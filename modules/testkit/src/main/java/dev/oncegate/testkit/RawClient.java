package dev.oncegate.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that sends what no HTTP library would. Characters stand for the bytes of ISO 8859-1, in
 * both directions. Reads give up after a minute: that is no answer.
 */
public final class RawClient implements AutoCloseable {
  private final Socket socket;

  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
  }

  /** An answer as it came, header and trailer lines in order. */
  public record Reply(int status, List<String> lines, String body, List<String> trailers) {
    /** The values of all lines of a header. */
    public List<String> header(String name) {
      String start = name.toLowerCase(java.util.Locale.ROOT) + ":";
      return lines.stream()
          .filter(l -> l.toLowerCase(java.util.Locale.ROOT).startsWith(start))
          .map(l -> l.substring(start.length()).strip())
          .toList();
    }
  }

  /** Sends a request on a connection of its own and reads one answer. */
  public static Reply once(int port, String request) throws IOException {
    try (RawClient client = new RawClient(port)) {
      return client.send(request).reply();
    }
  }

  public RawClient send(String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** The next answer: Content-Length, chunked, or up to the end of the connection. */
  public Reply reply() throws IOException {
    List<String> lines = new ArrayList<>();
    String status = line();
    for (String line = line(); !line.isEmpty(); line = line()) {
      lines.add(line);
    }
    List<String> trailers = new ArrayList<>();
    Reply head = new Reply(Integer.parseInt(status.substring(9, 12)), lines, "", trailers);
    return new Reply(head.status(), lines, body(head), trailers);
  }

  /** Whether the other side has closed or reset the connection; waits for it. */
  public boolean isClosedByPeer() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Leaves with a reset. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private String body(Reply head) throws IOException {
    if (head.status() < 200 || head.status() == 204 || head.status() == 304) {
      return "";
    }
    if (!head.header("Content-Length").isEmpty()) {
      return bytes(Integer.parseInt(head.header("Content-Length").get(0)));
    }
    if (head.header("Transfer-Encoding").isEmpty()) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
    StringBuilder body = new StringBuilder();
    for (int n = chunk(); n > 0; n = chunk()) {
      body.append(bytes(n));
      line();
    }
    for (String line = line(); !line.isEmpty(); line = line()) {
      head.trailers().add(line);
    }
    return body.toString();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  /** The next bytes, as they are. */
  public String bytes(int count) throws IOException {
    byte[] read = socket.getInputStream().readNBytes(count);
    if (read.length < count) {
      throw new IOException("cut off after " + read.length + " of " + count + " bytes");
    }
    return new String(read, StandardCharsets.ISO_8859_1);
  }

  private String line() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed after: " + line.toString(StandardCharsets.ISO_8859_1));
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

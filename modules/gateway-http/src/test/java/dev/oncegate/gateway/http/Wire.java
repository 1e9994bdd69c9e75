package dev.oncegate.gateway.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Bytes to a server and all that comes back, as ISO 8859-1. */
final class Wire {
  /** Every server here closes in the end; one that waits for more instead has hung. */
  private static final int SILENCE_MILLIS = 30_000;

  private Wire() {}

  /** Sends everything and reads until the server closes, or waits for more. */
  static String exchange(int port, String latin1) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(SILENCE_MILLIS);
      ByteArrayOutputStream answers = new ByteArrayOutputStream();
      try {
        socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
          answers.write(b);
        }
      } catch (SocketTimeoutException | SocketException silentOrReset) {
        // What came until then is what the server had to say.
      }
      return answers.toString(StandardCharsets.ISO_8859_1);
    }
  }

  /** Method, target and body of a request that an upstream received. */
  static String gist(String request) {
    String line = request.substring(0, request.indexOf("\r\n"));
    return line.substring(0, line.lastIndexOf(' '))
        + " "
        + request.substring(request.indexOf("\r\n\r\n") + 4);
  }
}

package dev.oncegate.bench;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Cuts a stream into HTTP/1.1 messages with a Content-Length. The load and its upstream cost as
 * little as can be: they run on the cores that are measured.
 */
final class HttpFrames implements Handler<Buffer> {
  private static final String LENGTH = "content-length:";

  private final Consumer<String> onMessage;
  private Buffer pending = Buffer.buffer();

  /**
   * Frames of one connection.
   *
   * @param onMessage gets the head of each message that is whole, first line included
   */
  HttpFrames(Consumer<String> onMessage) {
    this.onMessage = onMessage;
  }

  @Override
  public void handle(Buffer bytes) {
    pending = pending.length() == 0 ? bytes : pending.copy().appendBuffer(bytes);
    while (pending.length() > 0) {
      String text = pending.toString(StandardCharsets.ISO_8859_1);
      int end = text.indexOf("\r\n\r\n");
      if (end < 0) {
        return;
      }
      int whole = end + 4 + length(text.substring(0, end + 2));
      if (pending.length() < whole) {
        return;
      }
      pending = pending.slice(whole, pending.length());
      onMessage.accept(text.substring(0, end + 2));
    }
  }

  private static int length(String head) {
    String lower = head.toLowerCase(Locale.ROOT);
    int at = lower.indexOf("\r\n" + LENGTH);
    if (at < 0) {
      return 0;
    }
    int from = at + 2 + LENGTH.length();
    return Integer.parseInt(lower.substring(from, lower.indexOf("\r\n", from)).strip());
  }
}

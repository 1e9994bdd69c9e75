package dev.oncegate.app.proof;

import io.vertx.core.http.HttpServerResponse;

/** Long answers, written no faster than they are read. */
final class Streams {
  private static final String PART = "x".repeat(16_384);

  private Streams() {}

  /** So many bytes in chunks, then the end. */
  static void sendChunked(HttpServerResponse response, long bytes) {
    response.setChunked(true);
    pump(response, bytes, true);
  }

  /** So many bytes in chunks, and no end. */
  static void sendEndless(HttpServerResponse response, long bytes) {
    response.setChunked(true);
    pump(response, bytes, false);
  }

  private static void pump(HttpServerResponse response, long bytes, boolean end) {
    long left = bytes;
    while (left > 0 && !response.writeQueueFull()) {
      int size = (int) Math.min(left, PART.length());
      response.write(PART.substring(0, size));
      left -= size;
    }
    if (left > 0) {
      long rest = left;
      response.drainHandler(drained -> pump(response, rest, end));
    } else if (end) {
      response.end();
    }
  }
}

package dev.oncegate.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes a body as fast as its client reads it. A connection copies what it is given and keeps it
 * until it has gone out: a large answer that many waiters get at once would be there as many times
 * over.
 */
final class PacedBody {
  /** What a connection is given at a time; smaller bodies are given whole. */
  static final int PIECE = 64 * 1024;

  private final HttpServerResponse response;
  private final byte[] body;
  private final Promise<Void> ended = Promise.promise();
  private int at;

  /** Somebody writes, or everything was written. */
  private boolean busy;

  private PacedBody(HttpServerResponse response, byte[] body) {
    this.response = response;
    this.body = body;
  }

  /**
   * Writes the body and ends the response, whose head says how long it is.
   *
   * @return when all is written; stays open where the client stops reading until it leaves
   */
  static Future<Void> end(HttpServerResponse response, byte[] body) {
    if (body.length <= PIECE) {
      return response.end(Buffer.buffer(body));
    }
    PacedBody paced = new PacedBody(response, body);
    paced.goOn();
    return paced.ended.future();
  }

  /** Drains are told of more often than the queue was full: within a write, and after the end. */
  private void goOn() {
    if (busy) {
      return;
    }
    busy = true;
    while (body.length - at > PIECE) {
      response.write(piece(PIECE));
      if (response.writeQueueFull()) {
        response.drainHandler(drained -> goOn());
        busy = false;
        return;
      }
    }
    response.end(piece(body.length - at)).onComplete(ended);
  }

  private Buffer piece(int length) {
    Buffer piece = Buffer.buffer(length).appendBytes(body, at, length);
    at += length;
    return piece;
  }
}

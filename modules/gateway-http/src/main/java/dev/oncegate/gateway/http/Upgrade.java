package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Locale;

/**
 * An upgraded connection (WebSocket and the like) on a passthrough route: the one case in which
 * {@code Connection} and {@code Upgrade} cross. After the 101 both sides only exchange bytes.
 */
final class Upgrade {
  private Upgrade() {}

  /** Whether a client asks for another protocol, with no body in the way. */
  static boolean isAsked(HttpVersion version, RequestHead head) {
    boolean named =
        head.values("Connection").stream()
            .flatMap(line -> List.of(line.split(",", -1)).stream())
            .anyMatch(token -> token.strip().toLowerCase(Locale.ROOT).equals("upgrade"));
    return version == HttpVersion.HTTP_1_1
        && head.method().equals("GET")
        && named
        && head.values("Upgrade").size() == 1
        && head.values("Content-Length").isEmpty()
        && head.values("Transfer-Encoding").isEmpty();
  }

  /** The two headers of the asking or the agreeing side. */
  static List<HeaderField> headers(List<String> protocol) {
    return List.of(
        new HeaderField("Connection", "Upgrade"),
        new HeaderField("Upgrade", protocol.isEmpty() ? "" : protocol.get(0)));
  }

  /** Joins both connections once the upstream has agreed; the 101's head is written by this. */
  static void join(HttpServerRequest in, HttpClientResponse answer) {
    HttpServerResponse back = in.response();
    NetSocket upstream = answer.netSocket();
    upstream.pause();
    in.toNetSocket()
        .onSuccess(client -> join(client, upstream))
        .onFailure(
            gone -> {
              upstream.close();
              back.reset();
            });
  }

  private static void join(NetSocket client, NetSocket upstream) {
    // A side that ends or breaks ends the other: half of a tunnel is of no use to anyone.
    client.pipeTo(upstream).onComplete(ended -> upstream.close());
    upstream.pipeTo(client).onComplete(ended -> client.close());
  }
}

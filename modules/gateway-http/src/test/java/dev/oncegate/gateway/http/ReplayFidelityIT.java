package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replay is the stored answer and not a rebuilt one. */
class ReplayFidelityIT extends GatewayTestBase {
  @ParameterizedTest
  @ValueSource(ints = {299, 201})
  void c56_replay_hasTheSameLinesBytesAndOrder(int status) throws Exception {
    String lines =
        "Location: /charges/1\r\nETag: \"v1\"\r\nLink: </a>; rel=a\r\nX-Custom: 1\r\n"
            + "Link: </b>; rel=b\r\nX-Empty:\r\nx-MiXeD-cAsE: Aa\r\nX-Latin: caf\u00e9 \u00ff\r\n"
            + "Content-Type: application/json\r\n";
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 "
                    + status
                    + " Some Reason\r\n"
                    + lines
                    + "Content-Length: 4\r\n\r\n\u0000\u00ff\u00e9x"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");

    RawClient.Reply first = RawClient.once(gateway.port(), request);
    RawClient.Reply again = RawClient.once(gateway.port(), request);

    assertThat(first.status()).isEqualTo(status);
    assertThat(again.status()).isEqualTo(status);
    assertThat(first.header("Idempotency-Status")).containsExactly("executed");
    assertThat(again.header("Idempotency-Status")).containsExactly("replayed");
    assertThat(own(first)).containsExactlyElementsOf(List.of(lines.strip().split("\r\n")));
    assertThat(own(again)).isEqualTo(own(first));
    assertThat(first.body()).isEqualTo("\u0000\u00ff\u00e9x");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Content-Length")).containsExactly("4");
    assertThat(upstream.requests()).hasSize(1);
  }

  @Test
  void c58_whatBelongsToOneExchange_isNotReplayed() throws Exception {
    RawUpstream upstream = open(RawUpstream.answering(vertx, PER_EXCHANGE));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    RawClient.Reply first = RawClient.once(gateway.port(), request);
    assertThat(first.header("Set-Cookie")).containsExactly("sid=1");
    assertThat(first.header("WWW-Authenticate")).containsExactly("Basic");
    RawClient.Reply again = RawClient.once(gateway.port(), request);
    assertThat(own(again))
        .containsExactly("X-RateLimit-Remaining: 3", "X-Request-Id: r1", "Location: /c/1");
  }

  @Test
  void c58_deniedHeaders_areNotReplayedEither() throws Exception {
    RawUpstream upstream = open(RawUpstream.answering(vertx, PER_EXCHANGE));
    RoutePolicy.Protocol denying = Policies.neverStore("x-ratelimit-*", "X-Request-Id");
    Gateway gateway =
        open(
            Gateway.before(
                vertx, upstream.port(), Policies.keyed("create-charge", "/charges", denying)));
    String request = post("Idempotency-Key: K\r\n", "{}");
    assertThat(RawClient.once(gateway.port(), request).header("X-Request-Id")).hasSize(1);
    assertThat(own(RawClient.once(gateway.port(), request))).containsExactly("Location: /c/1");
  }

  private static final String PER_EXCHANGE =
      "HTTP/1.1 201 Created\r\nSet-Cookie: sid=1\r\nWWW-Authenticate: Basic\r\n"
          + "Proxy-Authenticate: Basic\r\nX-RateLimit-Remaining: 3\r\nX-Request-Id: r1\r\n"
          + "Location: /c/1\r\nContent-Length: 0\r\n\r\n";

  @Test
  void forgedNamesOfOurs_doNotReachTheClient() throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 201 Created\r\nIdempotency-Status: replayed\r\n"
                    + "Idempotency-Replayed: true\r\nConnection: x-hop\r\nX-Hop: 1\r\n"
                    + "Keep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    RawClient.Reply first = RawClient.once(gateway.port(), post("Idempotency-Key: K\r\n", "{}"));
    assertThat(first.header("Idempotency-Status")).containsExactly("executed");
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    assertThat(own(first)).isEmpty();
  }

  @Test
  void c65_dateIsTheUpstreamsOnExecution_andFreshOnReplay() throws Exception {
    String old = "Tue, 01 Dec 2020 10:00:00 GMT";
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx, "HTTP/1.1 201 Created\r\nDate: " + old + "\r\nContent-Length: 0\r\n\r\n"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    RawClient.Reply first = RawClient.once(gateway.port(), request);
    assertThat(first.header("Date")).containsExactly(old);
    gateway.clockAhead = Duration.ofHours(1);
    RawClient.Reply again = RawClient.once(gateway.port(), request);
    assertThat(again.header("Date")).hasSize(1);
    assertThat(again.header("Age")).isEmpty();
    ZonedDateTime replayedAt =
        ZonedDateTime.parse(
            again.header("Date").get(0),
            DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.US));
    assertThat(replayedAt.toInstant())
        .isAfter(java.time.Instant.now().plus(Duration.ofMinutes(59)));
    assertThat(again.header("Idempotency-Expires")).isEqualTo(first.header("Idempotency-Expires"));
  }

  @Test
  void c65_upstreamWithoutDate_getsOne() throws Exception {
    RawUpstream upstream =
        open(RawUpstream.answering(vertx, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    assertThat(RawClient.once(gateway.port(), request).header("Date")).hasSize(1);
    assertThat(RawClient.once(gateway.port(), request).header("Date")).hasSize(1);
  }

  @Test
  void c72_earlyHints_areNoOutcomeAndNotPassedOn() throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n"
                    + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    List<String> statuses = new ArrayList<>();
    try (RawClient winner = new RawClient(gateway.port());
        RawClient waiter = new RawClient(gateway.port())) {
      winner.send(request);
      waiter.send(request);
      for (RawClient.Reply reply :
          List.of(winner.reply(), waiter.reply(), RawClient.once(gateway.port(), request))) {
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Link")).isEmpty();
        assertThat(reply.body()).isEqualTo("ok");
        statuses.addAll(reply.header("Idempotency-Status"));
      }
    }
    assertThat(statuses).containsExactlyInAnyOrder("executed", "replayed", "replayed");
    assertThat(upstream.requests()).hasSize(1);
  }

  @Test
  void noContent_hasNoBodyAndNoLengthOnBoth() throws Exception {
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> request.response().setStatusCode(204).end());
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    for (String status : List.of("executed", "replayed")) {
      RawClient.Reply reply = RawClient.once(gateway.port(), request);
      assertThat(reply.status()).isEqualTo(204);
      assertThat(reply.header("Idempotency-Status")).containsExactly(status);
      assertThat(reply.header("Content-Length")).isEmpty();
      assertThat(reply.header("Transfer-Encoding")).isEmpty();
    }
  }

  @Test
  void c55_answerOpenToOtherOrigins_exposesOurNames() throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 201 Created\r\nAccess-Control-Allow-Origin: *\r\n"
                    + "Access-Control-Expose-Headers: ETag\r\nContent-Length: 0\r\n\r\n"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String request = post("Idempotency-Key: K\r\n", "{}");
    for (int i = 0; i < 2; i++) {
      assertThat(RawClient.once(gateway.port(), request).header("Access-Control-Expose-Headers"))
          .containsExactly(
              "ETag",
              "Idempotency-Status, Idempotency-Expires, Idempotency-Replayed,"
                  + " Idempotency-Reconstructed");
    }
  }

  @Test
  void c56_requestHeaders_reachTheUpstreamInOrderAndByteForByte() throws Exception {
    RawUpstream upstream =
        open(RawUpstream.answering(vertx, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    String lines =
        "X-First: 1\r\nx-SECOND: caf\u00e9 \u00ff\r\nX-Empty: \r\nX-First: 2\r\n"
            + "Accept: */*\r\nIdempotency-Key: K\r\n";
    RawClient.once(gateway.port(), post(lines, "\u0000\u00ff{}"));
    String received = upstream.requests().get(0);
    assertThat(received)
        .startsWith("POST /charges HTTP/1.1\r\n")
        .contains(lines)
        .contains("\r\nContent-Length: 4\r\n".toLowerCase(Locale.ROOT))
        .endsWith("\r\n\r\n\u0000\u00ff{}");
  }

  /** The answer's lines but for the ones that are the gateway's to make. */
  private static List<String> own(RawClient.Reply reply) {
    return reply.lines().stream()
        .filter(l -> !l.startsWith("Idempotency-"))
        .filter(l -> !l.toLowerCase(Locale.ROOT).startsWith("date:"))
        .filter(l -> !l.toLowerCase(Locale.ROOT).startsWith("content-length:"))
        .filter(l -> !l.toLowerCase(Locale.ROOT).startsWith("set-cookie:"))
        .toList();
  }
}

package dev.oncegate.gateway.http;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.Problem;
import dev.oncegate.gateway.http.RouteMatcher.Way;
import dev.oncegate.gateway.http.TenantMatcher.Entrance;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.time.Duration;
import java.util.Optional;

/**
 * The entry: guard → tenant → route → passed through, or admission → engine → answer. Every request
 * gets one answer and one count, whatever happens on the way.
 */
public final class GatewayHandler implements Handler<HttpServerRequest> {
  /** A rollout replaces a node within seconds; the client's next try meets another node. */
  private static final Duration DRAIN_RETRY = Duration.ofSeconds(1);

  private final GatewayParts parts;
  private final AnswerWriter writer;
  private final Passthrough passthrough;
  private final AdmissionReader admissions;

  public GatewayHandler(GatewayParts parts) {
    this.parts = parts;
    this.writer = new AnswerWriter(parts);
    this.passthrough = new Passthrough(parts, writer);
    this.admissions = new AdmissionReader(parts, new BodyReader(parts.time(), parts.limits()));
  }

  @Override
  public void handle(HttpServerRequest request) {
    // Before any step that could wait: a body that comes meanwhile would be lost.
    request.pause();
    Visit visit = new Visit(request);
    try {
      Checked<RequestHead> head = RequestGuard.check(raw(request));
      if (head instanceof Checked.Passed<RequestHead> passed) {
        enter(visit, passed.value());
      } else if (head instanceof Checked.Refused<RequestHead> refused) {
        writer.refuseAndClose(visit, refused.problem());
      }
    } catch (RuntimeException broken) {
      fail(visit, broken);
    }
  }

  private void enter(Visit visit, RequestHead head) {
    Entrance entrance = TenantMatcher.match(head, parts.tenants().tenants());
    if (entrance instanceof Entrance.Entered entered) {
      visit.tenantIs(entered.tenant(), entered.prefix());
      route(visit, head, entered);
    } else if (entrance instanceof Entrance.Locked locked) {
      visit.tenantIs(locked.tenant(), locked.prefix());
      refuse(visit, Problem.Type.CREDENTIALS_INVALID, "The API key is missing or not known.");
    } else {
      refuse(visit, Problem.Type.TENANT_UNKNOWN, "No tenant is found at this address.");
    }
  }

  private void route(Visit visit, RequestHead head, Entrance.Entered entered) {
    Way way = RouteMatcher.match(entered.tenant(), head.method(), entered.path());
    if (way instanceof Way.Keyed keyed) {
      visit.routeIs(keyed.route());
      keyed(visit, head, entered, keyed);
    } else if (way instanceof Way.Bypass bypass) {
      bypass.route().ifPresent(visit::routeIs);
      bypass(visit, head, entered);
    } else if (way instanceof Way.NoRoute none) {
      refuse(visit, Problem.Type.ROUTE_UNKNOWN, none.detail());
    } else {
      throw new BrokenInvariant("no such way: " + way.getClass());
    }
  }

  private void keyed(Visit visit, RequestHead head, Entrance.Entered entered, Way.Keyed way) {
    RoutePolicy.KeyPolicy policy = way.route().protocol().key();
    KeyHeader.Parsed key =
        KeyHeader.parse(head.values(policy.header()), policy.syntax(), policy.maxLength());
    if (key instanceof KeyHeader.Parsed.Missing && !policy.required()) {
      bypass(visit, head, entered);
    } else if (parts.draining().getAsBoolean()) {
      writer.refuse(visit, draining());
    } else if (key instanceof KeyHeader.Parsed.Accepted accepted) {
      execute(visit, new AdmissionReader.Head(head, entered, way, accepted.key()));
    } else if (key instanceof KeyHeader.Parsed.Malformed malformed) {
      refuse(visit, Problem.Type.KEY_MALFORMED, malformed.detail());
    } else {
      refuse(
          visit,
          Problem.Type.KEY_MISSING,
          "This route needs the header " + policy.header() + " with a key of the client's choice.");
    }
  }

  private void execute(Visit visit, AdmissionReader.Head head) {
    Optional<Duration> wish = Preference.waitOf(head.head().values(Preference.HEADER));
    admissions
        .read(visit, head)
        .compose(
            admission -> {
              ask(visit, wish, admission);
              return Future.succeededFuture();
            })
        .onFailure(failure -> fail(visit, failure));
  }

  /** What goes wrong with one client's answer is nobody else's: others wait for the same one. */
  private void write(Visit visit, Answer answer) {
    try {
      writer.write(visit, answer);
    } catch (RuntimeException broken) {
      parts.events().broken(visit.tenant(), visit.route(), broken);
      visit.request().response().reset();
    }
  }

  /**
   * Hands the request over. What was read of it is not kept here for its answer, which may be long
   * in coming.
   */
  private void ask(Visit visit, Optional<Duration> wish, Checked<Admission> admission) {
    if (admission instanceof Checked.Refused<Admission> refused) {
      write(visit, new Answer.Refusal(refused.problem()));
      return;
    }
    Admission admitted = ((Checked.Passed<Admission>) admission).value();
    Duration longest = admitted.route().park().maxWait();
    Optional<Duration> followed = wish.filter(w -> w.compareTo(longest) <= 0);
    Patience patience = new Patience(followed.orElse(longest));
    visit.request().response().closeHandler(gone -> patience.leave());
    if (visit.request().response().closed()) {
      patience.leave();
    }
    // On the verticle's own context: an exchange outlives the client's connection.
    parts
        .context()
        .runOnContext(
            v ->
                parts
                    .engine()
                    .handle(admitted, patience)
                    .onComplete(answer -> answered(visit, patience, followed, answer)));
  }

  private void answered(
      Visit visit, Patience patience, Optional<Duration> wish, AsyncResult<Answer> answer) {
    if (answer.failed()) {
      fail(visit, answer.cause());
      return;
    }
    wish.filter(w -> patience.counted()).ifPresent(visit::preferenceIsApplied);
    write(visit, answer.result());
  }

  private void bypass(Visit visit, RequestHead head, Entrance.Entered entered) {
    String query = head.query() == null ? "" : "?" + head.query();
    passthrough.forward(visit, entered.tenant(), head, entered.path() + query);
  }

  private void fail(Visit visit, Throwable failure) {
    if (failure instanceof BodyReader.ClientGone) {
      writer.nobody(visit);
      return;
    }
    parts.events().broken(visit.tenant(), visit.route(), failure);
    if (visit.request().response().headWritten()) {
      visit.request().response().reset();
      return;
    }
    refuse(
        visit,
        Problem.Type.INTERNAL_ERROR,
        "Something went wrong inside Oncegate before the request was sent; nothing was executed.");
  }

  private void refuse(Visit visit, Problem.Type type, String detail) {
    writer.refuse(visit, Problem.of(type, detail));
  }

  private static Problem draining() {
    return Problem.of(
            Problem.Type.DRAINING,
            "This node is shutting down and takes no new requests. Nothing was executed; send the"
                + " same key again.")
        .withRetryAfter(DRAIN_RETRY);
  }

  private static RequestGuard.Raw raw(HttpServerRequest request) {
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    HostAndPort authority = http2 ? request.authority(true) : null;
    HttpMethod method = request.method();
    return new RequestGuard.Raw(
        http2,
        request.version() == HttpVersion.HTTP_1_0,
        authority == null ? null : authority.toString(),
        method.name(),
        request.uri(),
        HopByHop.lines(request.headers()));
  }

  /** What the HTTP parser itself refused: answered, then the connection closes. */
  void invalid(HttpServerRequest request) {
    Visit visit = new Visit(request);
    Throwable cause = request.decoderResult().cause();
    boolean tooLarge =
        cause instanceof io.netty.handler.codec.http.TooLongHttpHeaderException
            || cause instanceof io.netty.handler.codec.http.TooLongHttpLineException;
    writer.refuseAndClose(
        visit,
        tooLarge
            ? Problem.of(
                Problem.Type.HEADERS_TOO_LARGE,
                "The request line or the header lines are larger than this server takes.")
            : Problem.of(Problem.Type.REQUEST_MALFORMED, "The request is not valid HTTP."));
  }
}

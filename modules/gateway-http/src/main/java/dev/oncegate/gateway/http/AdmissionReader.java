package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.RequestFingerprints;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.gateway.http.RouteMatcher.Way;
import dev.oncegate.gateway.http.TenantMatcher.Entrance.Entered;
import io.vertx.core.Future;
import java.util.Optional;

/** Collects what the rooms before have found, and the body, into an admission or a problem. */
final class AdmissionReader {
  private final RequestFingerprints fingerprints;
  private final EngineEvents events;
  private final BodyReader bodies;
  private final OffLoop offLoop;

  AdmissionReader(GatewayParts parts, BodyReader bodies) {
    this.fingerprints = parts.fingerprints();
    this.events = parts.events();
    this.bodies = bodies;
    this.offLoop = new OffLoop(parts);
  }

  /** A request as far as its head tells. */
  record Head(RequestHead head, Entered entered, Way.Keyed way, IdempotencyKey key) {
    RoutePolicy.Protocol protocol() {
      return way.route().protocol();
    }

    /** The client's path bytes behind the prefix, and its query. */
    String target() {
      return entered.path() + (head.query() == null ? "" : "?" + head.query());
    }
  }

  /** Fails with {@link BodyReader.ClientGone} where nobody is left to answer. */
  Future<Checked<Admission>> read(Visit visit, Head head) {
    Optional<Scope> scope = scope(head);
    if (scope.isEmpty()) {
      return Future.succeededFuture(
          Checked.refused(
              Problem.Type.CREDENTIALS_INVALID,
              "Nobody was named who owns the key: an API key is needed here."));
    }
    return bodies
        .read(visit.request(), head.protocol().maxRequest())
        .compose(
            body -> {
              if (body instanceof Checked.Refused<Bytes> refused) {
                return Future.succeededFuture(new Checked.Refused<>(refused.problem()));
              }
              Bytes whole = ((Checked.Passed<Bytes>) body).value();
              return project(head, whole)
                  .map(projected -> projected.then(p -> admit(head, scope.get(), whole, p)));
            });
  }

  private static Optional<Scope> scope(Head head) {
    TenantPolicy tenant = head.entered().tenant();
    Optional<String> principal =
        switch (tenant.principal()) {
          case SHARED -> Optional.of(Scope.SHARED);
          case API_KEY -> head.entered().apiKeyId();
        };
    return principal.map(p -> new Scope(tenant.id(), head.way().route().id(), p));
  }

  /** A request with its fingerprint under the current secret. */
  private record Projected(FingerprintInput input, Fingerprints.Taken taken) {}

  private Future<Checked<Projected>> project(Head head, Bytes body) {
    boolean coded = BodyDecoder.isCoded(head.head().values("Content-Encoding"));
    // A coded body counts by what it may decode to.
    long bytes = coded ? head.protocol().maxRequest() : body.length();
    return offLoop.run(bytes, () -> decodeAndTake(head, body));
  }

  private Checked<Projected> decodeAndTake(Head head, Bytes body) {
    long cap = head.protocol().maxRequest();
    BodyDecoder.Decoded decoded =
        BodyDecoder.decode(body, head.head().values("Content-Encoding"), cap);
    if (!(decoded instanceof BodyDecoder.Decoded.Plain plain)) {
      return new Checked.Refused<>(BodyReader.tooLarge(cap));
    }
    FingerprintInput input =
        new FingerprintInput(
            head.head().method(),
            head.way().route().id(),
            head.way().pathParameters(),
            head.head().query(),
            head.head().headers(),
            plain.bytes());
    String tenant = head.entered().tenant().id();
    return Checked.passed(
        new Projected(input, fingerprints.take(tenant, head.protocol().fingerprint(), input)));
  }

  private RequestFingerprints.Request request(Head head, Bytes body, Projected projected) {
    long bytes = Math.max(body.length(), projected.input().body().length());
    return new RequestFingerprints.Request(
        head.entered().tenant().id(),
        head.protocol(),
        projected.input(),
        projected.taken(),
        offLoop.isLarge(bytes)
            ? Optional.of(projection -> offLoop.run(bytes, projection))
            : Optional.empty());
  }

  private Checked<Admission> admit(Head head, Scope scope, Bytes body, Projected projected) {
    TenantPolicy tenant = head.entered().tenant();
    RoutePolicy route = head.way().route();
    projected
        .taken()
        .fallback()
        .ifPresent(reason -> events.fingerprintFallback(tenant.id(), route.id(), reason));
    UpstreamRequest request =
        new UpstreamRequest(
            head.head().method(), head.target(), HopByHop.request(head.head().headers()), body);
    return Checked.passed(
        new Admission(
            tenant,
            route,
            scope,
            head.key(),
            projected.taken().fingerprint(),
            fingerprints.matcher(request(head, body, projected)),
            head.way().pathParameters(),
            request));
  }
}

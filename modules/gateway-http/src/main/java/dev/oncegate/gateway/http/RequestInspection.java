package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.gateway.http.RouteMatcher.Way;
import dev.oncegate.gateway.http.TenantMatcher.Entrance;
import java.util.List;
import java.util.Optional;

/**
 * What the gateway would take a fingerprint over, for a person who asks with a request in hand. It
 * goes through the same rooms as traffic; only credentials are not looked at.
 */
public final class RequestInspection {
  private RequestInspection() {}

  /**
   * A request message.
   *
   * @param body as it came, perhaps in a content coding
   */
  public record Message(String method, String target, List<HeaderField> headers, Bytes body) {
    public Message {
      headers = List.copyOf(headers);
    }
  }

  /** What became of the question. */
  public sealed interface Result {}

  /** The part of the request that may count, its body decoded. */
  public record Inspected(RoutePolicy route, FingerprintInput input) implements Result {}

  /** The gateway would take no fingerprint of this request on this route. */
  public record NotTaken(String why) implements Result {}

  /** Inspects a request for a route of a tenant. */
  public static Result inspect(TenantPolicy tenant, String routeId, Message message) {
    Checked<RequestHead> checked =
        RequestGuard.check(
            new RequestGuard.Raw(
                false, false, null, message.method(), message.target(), message.headers()));
    if (checked instanceof Checked.Refused<RequestHead> refused) {
      return new NotTaken(refused.problem().detail());
    }
    RequestHead head = ((Checked.Passed<RequestHead>) checked).value();
    if (!(TenantMatcher.match(head, List.of(open(tenant))) instanceof Entrance.Entered entered)) {
      return new NotTaken(
          "neither host " + head.host() + " nor path " + head.path() + " leads to this tenant");
    }
    Way way = RouteMatcher.match(tenant, head.method(), entered.path());
    if (!(way instanceof Way.Keyed keyed)) {
      return new NotTaken(
          head.method() + " " + entered.path() + " takes no route with a key protocol");
    }
    if (!keyed.route().id().equals(routeId)) {
      return new NotTaken(
          head.method() + " " + entered.path() + " takes route " + keyed.route().id());
    }
    return input(head, keyed, message.body());
  }

  private static Result input(RequestHead head, Way.Keyed keyed, Bytes body) {
    long cap = keyed.route().protocol().maxRequest();
    BodyDecoder.Decoded decoded = BodyDecoder.decode(body, head.values("Content-Encoding"), cap);
    if (body.length() > cap || !(decoded instanceof BodyDecoder.Decoded.Plain plain)) {
      return new NotTaken("the body is larger than body.maxRequest, " + cap + " bytes");
    }
    return new Inspected(
        keyed.route(),
        new FingerprintInput(
            head.method(),
            keyed.route().id(),
            keyed.pathParameters(),
            head.query(),
            head.headers(),
            plain.bytes()));
  }

  /** The tenant without its locks: who may come in is no part of a fingerprint. */
  private static TenantPolicy open(TenantPolicy tenant) {
    return new TenantPolicy(
        tenant.id(),
        tenant.matches().stream()
            .map(
                match ->
                    new TenantPolicy.Match(
                        match.host(), match.pathPrefix(), match.stripPrefix(), Optional.empty()))
            .toList(),
        tenant.principal(),
        tenant.upstream(),
        tenant.unmatched(),
        tenant.routes());
  }
}

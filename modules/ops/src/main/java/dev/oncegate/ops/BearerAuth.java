package dev.oncegate.ops;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only who has the token pass (RFC 6750). A wrong one is answered late, and only so many wait
 * at a time, so that guessing is slow from however many addresses; the right one is never slowed.
 */
final class BearerAuth implements Handler<RoutingContext> {
  private static final Logger LOG = LoggerFactory.getLogger(BearerAuth.class);

  /** A person who mistyped does not mind it. */
  private static final long PAUSE_MILLIS = 500;

  /** With the pause: at most 32 guesses a second. */
  private static final int MOST_WAITING = 16;

  private static final String SCHEME = "bearer";

  private final AdminToken token;
  private final LogLimit log;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * For one token.
   *
   * @param nanos monotonic time, for the limit on repeated log lines
   */
  BearerAuth(AdminToken token, LongSupplier nanos) {
    this.token = token;
    this.log = new LogLimit(nanos);
  }

  @Override
  public void handle(RoutingContext request) {
    List<String> lines = request.request().headers().getAll("Authorization");
    if (lines.isEmpty()) {
      challenge("The ops API asks for Authorization: Bearer TOKEN.", "").send(request.response());
    } else if (lines.size() == 1 && token.fits(credential(lines.get(0)))) {
      request.next();
    } else {
      refuse(request);
    }
  }

  /** What stands behind the scheme; empty, which fits nothing, where it is another one. */
  private static String credential(String line) {
    boolean bearer =
        line.length() > SCHEME.length()
            && line.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            && line.charAt(SCHEME.length()) == ' ';
    return bearer ? line.substring(SCHEME.length()).strip() : "";
  }

  private void refuse(RoutingContext request) {
    String from = String.valueOf(request.request().remoteAddress());
    log.pass(
        "refused",
        suppressed ->
            LOG.atWarn()
                .addKeyValue("from", from)
                .addKeyValue("suppressed", suppressed)
                .log("a wrong token on the ops port"));
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      OpsProblem.of(
              429,
              "too-many-attempts",
              "Too many attempts",
              "Too many wrong tokens at once; the right one is still taken.")
          .withHeader("Retry-After", "1")
          .send(request.response());
      return;
    }
    request
        .vertx()
        .setTimer(
            PAUSE_MILLIS,
            timer -> {
              waiting.decrementAndGet();
              challenge("This is not the token of the ops API.", ", error=\"invalid_token\"")
                  .send(request.response());
            });
  }

  private static OpsProblem challenge(String detail, String error) {
    return OpsProblem.of(401, "credentials-invalid", "Credentials invalid", detail)
        .withHeader("WWW-Authenticate", "Bearer realm=\"oncegate\"" + error);
  }
}

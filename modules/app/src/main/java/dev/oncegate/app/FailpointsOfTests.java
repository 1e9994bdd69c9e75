package dev.oncegate.app;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.engine.port.Failpoints;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failpoints as the system property {@code oncegate.failpoints} orders them, for drills only:
 * {@code point=action} pairs, separated by commas. Actions are {@code halt}, {@code fail} and
 * {@code sleep(MILLIS)}, each with {@code @N} for the N-th pass only, such as {@code
 * forward.after=halt@3,claim.before=sleep(500)}. Without the property nothing is there to pass.
 */
final class FailpointsOfTests implements Failpoints {
  static final String PROPERTY = "oncegate.failpoints";

  private static final Logger LOG = LoggerFactory.getLogger(FailpointsOfTests.class);

  private static final Pattern ORDER =
      Pattern.compile(
          "(?<point>[a-z.]+)=(?<action>halt|fail|sleep\\((?<millis>\\d{1,9})\\))(@(?<pass>\\d{1,9}))?");

  /** As the shell reports a process that was killed with SIGKILL. */
  private static final int KILLED = 137;

  private final Vertx vertx;
  private final List<Order> orders;

  private FailpointsOfTests(Vertx vertx, List<Order> orders) {
    this.vertx = vertx;
    this.orders = orders;
  }

  /** What happens at a point; {@code pass} 0 stands for every one. */
  private record Order(Point point, String action, long millis, int pass, AtomicInteger passed) {}

  /**
   * What the property orders.
   *
   * @param property its value; null: nothing
   */
  static Failpoints of(Vertx vertx, @org.jspecify.annotations.Nullable String property) {
    if (property == null || property.isBlank()) {
      return NONE;
    }
    List<Order> orders = new ArrayList<>();
    for (String each : property.split(",", -1)) {
      orders.add(order(each.strip()));
    }
    LOG.atWarn().addKeyValue("orders", property).log("failpoints are on: this process is a drill");
    return new FailpointsOfTests(vertx, orders);
  }

  private static Order order(String text) {
    Matcher order = ORDER.matcher(text);
    Point point =
        order.matches()
            ? Arrays.stream(Point.values())
                .filter(p -> p.label().equals(order.group("point")))
                .findFirst()
                .orElse(null)
            : null;
    if (point == null) {
      throw StartFailure.invalid(
          "-D"
              + PROPERTY
              + ": "
              + text
              + " is no order; use POINT=halt, POINT=fail or POINT=sleep(MILLIS), with @N for the"
              + " N-th pass only, and for POINT one of "
              + String.join(", ", Arrays.stream(Point.values()).map(Point::label).toList()));
    }
    return new Order(
        point,
        order.group("action").toLowerCase(Locale.ROOT),
        order.group("millis") == null ? 0 : Long.parseLong(order.group("millis")),
        order.group("pass") == null ? 0 : Integer.parseInt(order.group("pass")),
        new AtomicInteger());
  }

  @Override
  public Future<Void> pass(Point point) {
    Future<Void> passed = Future.succeededFuture();
    for (Order order : orders) {
      if (order.point() == point) {
        int pass = order.passed().incrementAndGet();
        if (order.pass() == 0 || order.pass() == pass) {
          passed = passed.compose(before -> act(order));
        }
      }
    }
    return passed;
  }

  private Future<Void> act(Order order) {
    if (order.action().equals("halt")) {
      Runtime.getRuntime().halt(KILLED);
    } else if (order.action().equals("fail")) {
      return Future.failedFuture(new BrokenInvariant("failpoint " + order.point().label()));
    }
    return slept(Math.max(1, order.millis()));
  }

  private Future<Void> slept(long millis) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> slept = Promise.promise();
    vertx
        .timer(millis, TimeUnit.MILLISECONDS)
        .onComplete(woken -> context.runOnContext(now -> slept.complete()));
    return slept.future();
  }
}

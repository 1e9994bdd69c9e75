package dev.oncegate.app;

import dev.oncegate.parking.eventbus.ClusterSettings.Pace;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How soon a split of the cluster is noticed and mended, as the system property {@code
 * oncegate.cluster.pace} orders it, for drills only: seconds without a heartbeat after which a
 * member is taken to be gone, to the first look for the rest, and between further looks, such as
 * {@code 5,1,1}. Without the property the built-in times hold.
 */
final class PaceOfTests {
  static final String PROPERTY = "oncegate.cluster.pace";

  private static final Logger LOG = LoggerFactory.getLogger(PaceOfTests.class);
  private static final String SECONDS = "([1-9]\\d{0,3})";
  private static final Pattern ORDER = Pattern.compile(SECONDS + "," + SECONDS + "," + SECONDS);

  private PaceOfTests() {}

  /**
   * What the property orders.
   *
   * @param check between two checks of the bus
   * @param property its value; null: nothing
   */
  static Pace of(Duration check, @Nullable String property) {
    Pace usual = Pace.BUILT_IN;
    if (property == null) {
      return new Pace(check, usual.noHeartbeat(), usual.firstMerge(), usual.nextMerge());
    }
    Matcher order = ORDER.matcher(property);
    if (!order.matches()) {
      throw StartFailure.invalid(
          "-D"
              + PROPERTY
              + ": "
              + property
              + " is no pace; give three numbers of seconds, such as 5,1,1: without a heartbeat, to"
              + " the first merge, between merges");
    }
    LOG.atWarn()
        .addKeyValue("pace", property)
        .log("the pace of the cluster is ordered: this process is a drill");
    return new Pace(check, seconds(order, 1), seconds(order, 2), seconds(order, 3));
  }

  private static Duration seconds(Matcher order, int group) {
    return Duration.ofSeconds(Long.parseLong(order.group(group)));
  }
}

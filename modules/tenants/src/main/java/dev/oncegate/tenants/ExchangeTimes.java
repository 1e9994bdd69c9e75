package dev.oncegate.tenants;

import dev.oncegate.core.TenantPolicy;
import java.time.Duration;

/**
 * What a route's policy takes from its tenant's {@code upstream.timeouts}.
 *
 * @param total how long a client is kept waiting
 * @param abandon how long an exchange is kept open
 */
record ExchangeTimes(Duration total, Duration abandon) {
  static ExchangeTimes of(ReadTenant tenant) {
    TenantPolicy.Timeouts timeouts = tenant.timeouts();
    return new ExchangeTimes(timeouts.total(), timeouts.abandon());
  }

  /** Where only the total is known: the built-in abandon. */
  static ExchangeTimes of(Duration total) {
    return new ExchangeTimes(total, total.multipliedBy(2));
  }
}

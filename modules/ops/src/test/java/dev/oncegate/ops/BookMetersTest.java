package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.SamplePolicies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookMetersTest {
  private final List<TenantPolicy> tenants =
      List.of(SamplePolicies.tenant("shop", 9), SamplePolicies.tenant("bank", 9));
  private final OpsMetrics metrics = new OpsMetrics();
  private final BookMeters meters = new BookMeters(metrics, () -> tenants);

  @Test
  void book_isSixGaugesUnderTheContractsNames() {
    meters.books(List.of(new Book("shop", 21, 9, 5, 3, 2, 7, 1, 2, Duration.ofMillis(90_500))));
    assertThat(metrics.scrape())
        .contains("idempotency_records{state=\"claimed\",tenant=\"shop\"} 2.0\n")
        .contains("idempotency_records{state=\"completed\",tenant=\"shop\"} 7.0\n")
        .contains("idempotency_records{state=\"unknown\",tenant=\"shop\"} 3.0\n")
        .contains("idempotency_records{state=\"expired\",tenant=\"shop\"} 1.0\n")
        .contains("idempotency_audit_imbalance{tenant=\"shop\"} 2.0\n")
        .contains("idempotency_unknown_oldest_seconds{tenant=\"shop\"} 90.5\n")
        .contains("idempotency_unknown_waiting{tenant=\"shop\"} 2.0\n");
  }

  @Test
  void nextBooks_replaceTheLast_andATenantWithoutOneGoes() {
    meters.books(List.of(book("shop", 1, 0), book("bank", 4, 0)));
    meters.books(List.of(book("shop", 2, 0)));
    assertThat(metrics.scrape())
        .contains("idempotency_unknown_waiting{tenant=\"shop\"} 2.0\n")
        .contains("idempotency_unknown_oldest_seconds{tenant=\"shop\"} 0.0\n")
        .doesNotContain("bank");
  }

  @Test
  void removedTenants_shareOneLabel_andTheirErrorsDoNotCancel() {
    meters.books(List.of(book("gone-1", 1, 3), book("gone-2", 2, -3)));
    assertThat(metrics.scrape())
        .contains("idempotency_unknown_waiting{tenant=\"none\"} 3.0\n")
        .contains("idempotency_audit_imbalance{tenant=\"none\"} 6.0\n")
        .doesNotContain("gone");
  }

  private static Book book(String tenant, int waiting, int imbalance) {
    return new Book(tenant, waiting + imbalance, 0, 0, waiting, 0, 0, 0, waiting, null);
  }
}

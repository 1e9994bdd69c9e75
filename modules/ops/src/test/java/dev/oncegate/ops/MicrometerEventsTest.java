package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.testkit.SamplePolicies;
import java.util.List;
import org.junit.jupiter.api.Test;

class MicrometerEventsTest {
  private static final RecordId ID = new RecordId(Bytes.wrap(new byte[RecordId.LENGTH]));

  private final List<TenantPolicy> tenants =
      List.of(
          SamplePolicies.tenant(
              "shop",
              9,
              SamplePolicies.keyed("charge", "POST", "/charges", SamplePolicies.protocol())));
  private final OpsMetrics metrics = new OpsMetrics();
  private final MicrometerEvents events = new MicrometerEvents(metrics, () -> tenants, () -> 0);

  @Test
  void everyStatus_hasItsOutcomeLabel() {
    for (IdempotencyStatus status : IdempotencyStatus.values()) {
      events.answered("shop", "charge", status);
    }
    assertThat(metrics.scrape())
        .contains(line("executed", 1), line("in_flight", 1), line("bypassed", 1))
        .contains(line("replayed", 1), line("released", 1), line("unknown", 1))
        .contains(line("mismatch", 1), line("expired", 1), line("refused", 1));
  }

  @Test
  void repeatedAnswers_addUp() {
    events.answered("shop", "charge", IdempotencyStatus.REPLAYED);
    events.answered("shop", "charge", IdempotencyStatus.REPLAYED);
    assertThat(metrics.scrape()).contains(line("replayed", 2));
  }

  @Test
  void namesThatAreNotConfigured_areNone() {
    events.answered("made-up", "charge", IdempotencyStatus.REFUSED);
    events.answered("shop", "made-up", IdempotencyStatus.REFUSED);
    events.answered(EngineEvents.NONE, EngineEvents.NONE, IdempotencyStatus.REFUSED);
    assertThat(metrics.scrape())
        .doesNotContain("made-up")
        .contains("{outcome=\"refused\",route=\"none\",tenant=\"none\"} 2.0")
        .contains("{outcome=\"refused\",route=\"none\",tenant=\"shop\"} 1.0");
  }

  @Test
  void fallbacksAndStaleCompletions_haveTheContractsNames() {
    events.fingerprintFallback("shop", "charge", FallbackReason.DUPLICATE_MEMBER);
    events.staleCompletion("shop", "charge", ID);
    assertThat(metrics.scrape())
        .contains(
            "idempotency_fingerprint_fallback_total"
                + "{reason=\"duplicate_member\",route=\"charge\",tenant=\"shop\"} 1.0")
        .contains("idempotency_stale_completions_total{tenant=\"shop\"} 1.0");
  }

  private static String line(String outcome, int count) {
    return "idempotency_requests_total{outcome=\"%s\",route=\"charge\",tenant=\"shop\"} %d.0"
        .formatted(outcome, count);
  }
}

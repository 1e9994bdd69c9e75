package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.testkit.SamplePolicies;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

  @Test
  void questionsAndUpkeep_areCounted() {
    for (String verdict : List.of("applied", "not_applied", "undecided", "no_answer")) {
      events.probed("shop", "charge", ID, verdict);
      assertThat(metrics.scrape())
          .contains(
              "idempotency_probe_total{route=\"charge\",tenant=\"shop\",verdict=\"%s\"} 1.0"
                  .formatted(verdict));
    }
    events.swept("lapsed", 3);
    events.swept("lapsed", 4);
    events.swept("forgotten", 0);
    assertThat(metrics.scrape())
        .contains("idempotency_sweep_total{action=\"lapsed\"} 7.0")
        .contains("idempotency_sweep_total{action=\"forgotten\"} 0.0");
  }

  @Test
  void imbalance_isAnErrorWhenItBegins_andToldAgainWhenItEnds() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(MicrometerEvents.class);
    log.setLevel(Level.INFO);
    lines.start();
    log.addAppender(lines);
    for (long difference : new long[] {0, 2, 3, 3, 0, 0, -1}) {
      events.imbalance("shop", difference);
    }
    events.gaveUp("shop", "charge", ID);
    log.detachAppender(lines);
    assertThat(lines.list)
        .extracting(ILoggingEvent::getLevel)
        .containsExactly(Level.ERROR, Level.INFO, Level.ERROR, Level.ERROR);
  }

  private static String line(String outcome, int count) {
    return "idempotency_requests_total{outcome=\"%s\",route=\"charge\",tenant=\"shop\"} %d.0"
        .formatted(outcome, count);
  }
}

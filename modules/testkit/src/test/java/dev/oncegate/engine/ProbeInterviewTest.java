package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.Interview.Finding;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Prober.Question;
import dev.oncegate.engine.port.Prober.Reply;
import dev.oncegate.testkit.InMemoryUpkeep;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbeInterviewTest {
  private final EngineBench bench = new EngineBench();
  private final InMemoryUpkeep upkeep = bench.memory.upkeep();
  private final List<Question> asked = new ArrayList<>();
  private Future<String> secret = Future.succeededFuture("Bearer s3cret");
  private Reply reply = new Reply.None("connection refused");

  private final ProbeInterview interview =
      new ProbeInterview(
          (tenant, question) -> {
            asked.add(question);
            return Future.succeededFuture(reply);
          },
          reference -> reference.equals("${env:PROBE}") ? secret : Future.failedFuture("none"),
          bench.keys,
          bench.time,
          Failpoints.NONE);

  private static RoutePolicy.Protocol protocol(String path) {
    RoutePolicy.Protocol p = SamplePolicies.protocol();
    return new RoutePolicy.Protocol(
        "probing",
        p.key(),
        p.fingerprint(),
        p.outcome(),
        p.lease(),
        p.maxRequest(),
        p.capture(),
        p.neverStore(),
        p.encrypt(),
        p.retention(),
        new Reconciliation(
            Reconciliation.OnAmbiguous.PROBE,
            Duration.ofSeconds(105),
            Optional.of(
                new Reconciliation.UpstreamKey(
                    "Idempotency-Key",
                    Reconciliation.UpstreamKey.Source.CLIENT,
                    Optional.empty(),
                    Optional.empty())),
            Optional.of(
                new Reconciliation.Probe(
                    "GET",
                    path,
                    List.of(
                        new Reconciliation.ProbeHeader("Authorization", "${env:PROBE}", true),
                        new Reconciliation.ProbeHeader("X-Asks", "{upstreamKey}", false)),
                    new Reconciliation.Applied(
                        Set.of(200),
                        Optional.of(JsonPointer.compile("/data/0")),
                        201,
                        Optional.of(JsonPointer.compile("/data/0"))),
                    new Reconciliation.NotApplied(
                        Set.of(200), Optional.of(JsonPointer.compile("/data"))),
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(15),
                    false))));
  }

  private Finding ask(String path) {
    bench.protocol = protocol(path);
    bench.send("key-1", "A");
    bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    var due = upkeep.take(1, Duration.ofSeconds(30)).result().get(0);
    return interview.ask(due, bench.protocol, bench.tenant()).result();
  }

  private static Reply json(String body) {
    return new Reply.Answered(
        200,
        List.of(
            new HeaderField("Content-Type", "application/json"),
            new HeaderField("Set-Cookie", "sid=1")),
        Bytes.wrap(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void question_isFilledInWithWhatTheClaimKept_andTheSecretsBehindReferences() {
    ask("/charges?key={upstreamKey}");
    assertThat(asked)
        .singleElement()
        .satisfies(
            question -> {
              assertThat(question.method()).isEqualTo("GET");
              assertThat(question.target()).isEqualTo("/charges?key=key-1");
              assertThat(question.headers())
                  .containsExactly(
                      new HeaderField("Authorization", "Bearer s3cret"),
                      new HeaderField("X-Asks", "key-1"));
              assertThat(question.toString()).doesNotContain("s3cret");
            });
  }

  @Test
  void applied_isThePartThatIsReplayed_withItsTypeAndNothingElse() {
    reply = json("{\"data\":[{\"id\":7}]}");
    Finding.Applied applied = (Finding.Applied) ask("/charges?key={upstreamKey}");
    var due = upkeep.show("acme", bench.admission("key-1", "A").id()).result().orElseThrow();
    var opened =
        (AnswerCipher.Opened.Plain)
            new AnswerCipher(bench.keys, bench.time).open(due.record().facts(), applied.answer());
    assertThat(opened.response().status()).isEqualTo(201);
    assertThat(opened.response().headers())
        .containsExactly(new HeaderField("Content-Type", "application/json"));
    assertThat(opened.response().body())
        .contains(Bytes.wrap("{\"id\":7}".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void emptyArray_isNotApplied() {
    reply = json("{\"data\":[]}");
    assertThat(ask("/charges?key={upstreamKey}")).isEqualTo(new Finding.NotApplied());
  }

  @Test
  void noAnswer_isUndecided() {
    assertThat(ask("/charges?key={upstreamKey}"))
        .isEqualTo(new Finding.Undecided(false, "connection refused"));
  }

  @Test
  void questionThatCannotBeMade_isNotAsked() {
    assertThat(ask("/charges/{chargeId}")).isInstanceOf(Finding.Undecided.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void questionWhoseSecretIsGone_isNotAsked() {
    secret = Future.failedFuture("gone");
    assertThat(ask("/charges?key={upstreamKey}")).isInstanceOf(Finding.Undecided.class);
    assertThat(asked).isEmpty();
  }
}

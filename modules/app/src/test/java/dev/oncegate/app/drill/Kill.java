package dev.oncegate.app.drill;

import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.testkit.history.Attempt;
import dev.oncegate.testkit.history.LedgerLine;
import dev.oncegate.testkit.history.Said;
import dev.oncegate.testkit.history.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process that ended by order.
 *
 * @param point failpoint that was to halt it, or {@value #SIGKILL}
 * @param node the life that ended
 * @param at when its end was seen
 * @param asOrdered whether it ended as a halt or a signal ends it
 */
record Kill(String point, String node, long at, boolean asOrdered) {
  static final String SIGKILL = "kill -9";

  /** What ended together with the process is seen to end soon after. */
  private static final long SEEN_AFTER = 2_000_000;

  /** A sweep or a question just before belongs to the round in which the process ended. */
  private static final long ROUND = 1_500_000;

  /** What there is to find the requests in. */
  record Evidence(
      Map<String, List<DrillClients.Heard>> lost,
      Map<String, List<Step>> steps,
      Map<String, LedgerLine> lines,
      List<Step> lapses,
      List<DrillUpstream.Asked> questions) {
    static Evidence of(
        List<DrillClients.Heard> heard,
        List<DrillUpstream.Handled> handled,
        List<Step> steps,
        List<DrillUpstream.Asked> questions) {
      Map<String, List<DrillClients.Heard>> lost = new HashMap<>();
      heard.stream()
          .filter(h -> h.attempt().reply().said() == Said.NOTHING)
          .forEach(h -> lost.computeIfAbsent(h.node(), n -> new ArrayList<>()).add(h));
      Map<String, List<Step>> byKey = new HashMap<>();
      steps.forEach(s -> byKey.computeIfAbsent(s.key(), k -> new ArrayList<>()).add(s));
      Map<String, LedgerLine> lines = new HashMap<>();
      handled.forEach(h -> lines.put(h.line().attempt(), h.line()));
      List<Step> lapses =
          steps.stream()
              .filter(s -> s.from().equals(Optional.of(State.CLAIMED)))
              .filter(s -> s.to().equals(Optional.of(State.UNKNOWN)))
              .toList();
      return new Evidence(lost, byKey, lines, lapses, questions);
    }
  }

  /** The request that was in the window when the process ended, as key or attempt. */
  Optional<String> request(Evidence evidence) {
    if (point.equals("sweep.expired")) {
      return evidence.lapses().stream().filter(s -> justBefore(s.at())).map(Step::key).findFirst();
    }
    if (point.equals("probe.after")) {
      return evidence.questions().stream()
          .filter(q -> justBefore(q.at()))
          .map(DrillUpstream.Asked::key)
          .findFirst();
    }
    return evidence.lost().getOrDefault(node, List.of()).stream()
        .map(DrillClients.Heard::attempt)
        .filter(a -> a.invoked() < at && a.ended() < at + SEEN_AFTER)
        .filter(a -> wasThere(a, evidence))
        .map(Attempt::id)
        .findFirst();
  }

  private boolean justBefore(long time) {
    return time < at && time > at - ROUND;
  }

  private boolean wasThere(Attempt attempt, Evidence evidence) {
    LedgerLine line = evidence.lines().get(attempt.id());
    List<Step> steps = evidence.steps().getOrDefault(attempt.key(), List.of());
    boolean claimed =
        steps.stream()
            .anyMatch(s -> s.from().isEmpty() && s.at() >= attempt.invoked() && s.at() <= at);
    boolean completed =
        line != null
            && steps.stream()
                .anyMatch(
                    s ->
                        s.to().equals(Optional.of(State.COMPLETED))
                            && !s.reconstructed()
                            && s.token() == line.token().getAsLong());
    return switch (point) {
      case "claim.before" -> line == null && !claimed;
      case "claim.after", "forward.before" -> line == null && claimed;
      case "forward.after" -> claimed && !completed;
      case "complete.before" -> line != null && !completed;
      case "complete.after", "reply.before" -> completed;
      default -> true;
    };
  }
}

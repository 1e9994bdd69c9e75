package dev.oncegate.app.drill;

import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.testkit.history.Attempt;
import dev.oncegate.testkit.history.History;
import dev.oncegate.testkit.history.Said;
import dev.oncegate.testkit.history.Step;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the kills have met, and whether that was enough to prove anything. */
final class KillTable {
  private KillTable() {}

  /**
   * How often each kind of kill hit a request, and how often what has to follow from kills was
   * there.
   *
   * @param each kills that were ordered of each kind; two of three have to hit
   */
  static Map<String, History.Count> counts(
      List<Kill> kills,
      int each,
      List<DrillClients.Heard> heard,
      List<DrillUpstream.Handled> handled,
      List<Step> steps,
      List<DrillUpstream.Asked> questions) {
    Kill.Evidence evidence = Kill.Evidence.of(heard, handled, steps, questions);
    Map<String, History.Count> counts = new LinkedHashMap<>();
    int floor = Math.max(1, each * 2 / 3);
    byPoint(kills)
        .forEach(
            (point, its) ->
                counts.put(
                    "kill with a request in " + point,
                    new History.Count(hits(its, evidence), floor)));
    counts.put(
        "replayed after its winner was killed",
        new History.Count(replaysOfLost(heard, handled), 1));
    counts.put(
        "completed by a probe",
        new History.Count(steps.stream().filter(Step::reconstructed).count(), 1));
    counts.put(
        "sent again under the same key",
        new History.Count(handled.stream().filter(h -> h.line().repeated()).count(), 1));
    for (Said said : Said.values()) {
      long told = heard.stream().filter(h -> h.attempt().reply().said() == said).count();
      counts.put("told " + said, new History.Count(told, 0));
    }
    return counts;
  }

  /** Rows 3 to 5: the client of the winner got nothing, and the next one got what was stored. */
  private static long replaysOfLost(
      List<DrillClients.Heard> heard, List<DrillUpstream.Handled> handled) {
    Map<String, String> winners = new LinkedHashMap<>();
    handled.stream()
        .filter(h -> h.line().effect())
        .forEach(h -> winners.put(h.line().key(), h.line().attempt()));
    List<Attempt> attempts = heard.stream().map(DrillClients.Heard::attempt).toList();
    List<String> replayed =
        attempts.stream()
            .filter(a -> a.reply().said() == Said.REPLAYED)
            .map(Attempt::key)
            .distinct()
            .toList();
    return attempts.stream()
        .filter(a -> a.reply().said() == Said.NOTHING)
        .filter(a -> Objects.equals(winners.get(a.key()), a.id()))
        .filter(a -> replayed.contains(a.key()))
        .count();
  }

  static void print(PrintStream out, List<Kill> kills, Kill.Evidence evidence) {
    out.printf("%-16s %6s %6s %6s  %s%n", "point", "kills", "137", "hits", "requests in it");
    byPoint(kills)
        .forEach(
            (point, its) ->
                out.printf(
                    "%-16s %6d %6d %6d  %s%n",
                    point,
                    its.size(),
                    its.stream().filter(Kill::asOrdered).count(),
                    hits(its, evidence),
                    String.join(
                        " ",
                        its.stream()
                            .map(k -> k.request(evidence).map(KillTable::shortened).orElse("-"))
                            .toList())));
  }

  /**
   * By how much a request was handled after its record had turned unknown under its token, at most;
   * where keys are not recognised that must stay below the quarantine (A2).
   */
  static long latestArrivalMillis(List<DrillUpstream.Handled> handled, List<Step> steps) {
    Map<Long, Long> unknown = new HashMap<>();
    steps.stream()
        .filter(s -> s.to().equals(Optional.of(State.UNKNOWN)) && !s.tenant().equals("keyed"))
        .forEach(s -> unknown.putIfAbsent(s.token(), s.at()));
    return handled.stream()
        .mapToLong(
            h -> {
              Long since = unknown.get(h.line().token().orElseThrow());
              return since == null ? 0 : (h.at() - since) / 1000;
            })
        .max()
        .orElse(0);
  }

  /** All that is known of a key, in the order of time. */
  static void explain(
      PrintStream out,
      String key,
      List<DrillClients.Heard> heard,
      List<DrillUpstream.Handled> handled,
      List<Step> steps,
      List<DrillUpstream.Asked> questions) {
    Map<Long, String> events = new java.util.TreeMap<>();
    for (DrillClients.Heard h : heard) {
      Attempt a = h.attempt();
      if (a.key().equals(key)) {
        events.merge(a.invoked(), a.id() + " asks " + h.node(), KillTable::both);
        events.merge(a.ended(), a.id() + " told " + a.reply(), KillTable::both);
      }
    }
    handled.stream()
        .filter(h -> h.line().key().equals(key))
        .forEach(h -> events.merge(h.at(), "handled " + h.line(), KillTable::both));
    steps.stream()
        .filter(s -> s.key().equals(key))
        .forEach(
            s ->
                events.merge(
                    s.at(), s.from() + " -> " + s.to() + " " + s.token(), KillTable::both));
    questions.stream()
        .filter(q -> q.key().equals(key))
        .forEach(q -> events.merge(q.at(), "asked", KillTable::both));
    out.println("history of " + key);
    events.forEach(
        (at, what) -> out.printf("  %d.%06d %s%n", at / 1_000_000, at % 1_000_000, what));
  }

  private static String both(String one, String other) {
    return one + "; " + other;
  }

  private static String shortened(String request) {
    return request.length() > 8 ? request.substring(0, 8) : request;
  }

  private static long hits(List<Kill> kills, Kill.Evidence evidence) {
    return kills.stream()
        .filter(Kill::asOrdered)
        .map(k -> k.request(evidence))
        .filter(Optional::isPresent)
        .count();
  }

  private static Map<String, List<Kill>> byPoint(List<Kill> kills) {
    Map<String, List<Kill>> by = new java.util.TreeMap<>();
    kills.forEach(k -> by.computeIfAbsent(k.point(), p -> new java.util.ArrayList<>()).add(k));
    return by;
  }
}

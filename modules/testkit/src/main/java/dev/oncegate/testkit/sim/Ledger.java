package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the upstream really did, a line for each request that reached it. */
final class Ledger {
  private final World world;
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Line> byUpstreamKey = new HashMap<>();

  Ledger(World world) {
    this.world = world;
  }

  /**
   * A request that was handled.
   *
   * @param epoch of the key when its claim was won
   * @param effect whether it changed anything
   */
  record Line(Attempt attempt, int epoch, boolean effect, int status, Bytes body) {}

  /** What the upstream is in the mood for, where no earlier request decides. */
  record Mood(int status, boolean effect) {}

  /**
   * Handles a request that has arrived.
   *
   * @param upstreamKey honoured: executed once, then answered as before (A6)
   */
  Line handle(Attempt attempt, Optional<String> upstreamKey, Mood mood) {
    Line before = upstreamKey.map(byUpstreamKey::get).orElse(null);
    Line line = before == null ? handled(attempt, mood) : repeated(attempt, before);
    if (before == null) {
      upstreamKey.ifPresent(key -> pin(key, line));
    }
    lines.add(line);
    world.trace(line.effect() ? "effect" : "handled without effect", -1, attempt);
    world.effects().handled(line);
    return line;
  }

  /** What a key was used for is kept, whatever a gateway in between made of the answer. */
  private void pin(String upstreamKey, Line line) {
    if (line.effect()) {
      byUpstreamKey.put(
          upstreamKey, new Line(line.attempt(), line.epoch(), true, 201, line.body()));
    } else if (line.status() < 500 && line.status() != 429 && line.status() != 425) {
      byUpstreamKey.put(upstreamKey, line);
    }
  }

  private Line handled(Attempt attempt, Mood mood) {
    String body = "operation " + attempt.operation.index() + ", attempt " + attempt.id;
    return new Line(attempt, epochOf(attempt), mood.effect(), mood.status(), World.bytes(body));
  }

  private Line repeated(Attempt attempt, Line before) {
    world.saw(Rare.HONOURED_KEY_EXECUTED_ONCE);
    boolean same = before.attempt().payload.equals(attempt.payload);
    return new Line(
        attempt,
        epochOf(attempt),
        false,
        same ? before.status() : 422,
        same ? before.body() : World.bytes("another request had this key"));
  }

  private int epochOf(Attempt attempt) {
    return world.life(attempt.operation).epochOf(attempt.held);
  }

  /** The effect of an operation in its present life, as a probe or a person finds it. */
  @Nullable Line effect(Plan.Operation operation) {
    KeyLife life = world.life(operation);
    for (int i = lines.size() - 1; i >= 0; i--) {
      Line line = lines.get(i);
      if (line.attempt().operation.index() == operation.index()
          && line.epoch() == life.epoch
          && line.effect()) {
        return line;
      }
    }
    return null;
  }
}

package dev.oncegate.app.demo;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effects that really happened, in order. One per execution, whatever the clients were told.
 */
final class Ledger {
  /** A demo that someone leaves running under load keeps the newest of them. */
  private static final int MOST = 10_000;

  private final List<Entry> effects = new ArrayList<>();
  private long count;

  /**
   * An effect.
   *
   * @param key the Idempotency-Key that its request came with, by which it can be found again
   */
  private record Entry(JsonObject effect, @Nullable String key) {}

  /** Books an effect under an id of its own. Equal keys are two effects all the same. */
  JsonObject book(String prefix, String kind, long amount, String currency, @Nullable String key) {
    count++;
    JsonObject effect =
        new JsonObject()
            .put("id", prefix + String.format("%08d", count))
            .put("kind", kind)
            .put("amount", amount)
            .put("currency", currency);
    effects.add(new Entry(effect, key));
    if (effects.size() > MOST) {
      effects.remove(0);
    }
    return effect.copy();
  }

  Optional<JsonObject> find(String id) {
    return effects.stream()
        .map(Entry::effect)
        .filter(effect -> id.equals(effect.getString("id")))
        .findFirst();
  }

  /** The effects of one kind that were asked for under a key. */
  JsonObject findByKey(String kind, String key) {
    JsonArray found = new JsonArray();
    effects.stream()
        .filter(e -> key.equals(e.key()) && kind.equals(e.effect().getString("kind")))
        .forEach(e -> found.add(e.effect().copy()));
    return new JsonObject().put("data", found);
  }

  JsonObject toJson() {
    JsonArray all = new JsonArray();
    effects.forEach(entry -> all.add(entry.effect().copy()));
    return new JsonObject().put("count", count).put("effects", all);
  }
}

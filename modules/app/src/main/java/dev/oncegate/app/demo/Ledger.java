package dev.oncegate.app.demo;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The effects that really happened, in order. One per execution, whatever the clients were told.
 */
final class Ledger {
  /** A demo that someone leaves running under load keeps the newest of them. */
  private static final int MOST = 10_000;

  private final List<JsonObject> effects = new ArrayList<>();
  private long count;

  /** Books an effect under an id of its own. */
  JsonObject book(String prefix, String kind, long amount, String currency) {
    count++;
    JsonObject effect =
        new JsonObject()
            .put("id", prefix + String.format("%08d", count))
            .put("kind", kind)
            .put("amount", amount)
            .put("currency", currency);
    effects.add(effect);
    if (effects.size() > MOST) {
      effects.remove(0);
    }
    return effect.copy();
  }

  Optional<JsonObject> find(String id) {
    return effects.stream().filter(effect -> id.equals(effect.getString("id"))).findFirst();
  }

  JsonObject toJson() {
    JsonArray all = new JsonArray();
    effects.forEach(effect -> all.add(effect.copy()));
    return new JsonObject().put("count", count).put("effects", all);
  }
}

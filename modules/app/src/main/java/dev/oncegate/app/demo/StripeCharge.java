package dev.oncegate.app.demo;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A charge in the form that the Stripe SDKs read: the members that they need, and no more. */
final class StripeCharge {
  /** SDKs show it and nothing here depends on it; a fixed time keeps answers comparable. */
  private static final long CREATED = 1_700_000_000L;

  private StripeCharge() {}

  static JsonObject of(JsonObject effect) {
    long amount = effect.getLong("amount");
    return new JsonObject()
        .put("id", effect.getString("id"))
        .put("object", "charge")
        .put("amount", amount)
        .put("amount_captured", amount)
        .put("amount_refunded", 0)
        .put("captured", true)
        .put("created", CREATED)
        .put("currency", effect.getString("currency"))
        .put("livemode", false)
        .put("metadata", new JsonObject())
        .put("paid", true)
        .put("refunded", false)
        .put(
            "refunds",
            new JsonObject()
                .put("object", "list")
                .put("data", new JsonArray())
                .put("has_more", false)
                .put("url", "/v1/charges/" + effect.getString("id") + "/refunds"))
        .put("status", "succeeded");
  }
}

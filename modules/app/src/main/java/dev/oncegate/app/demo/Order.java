package dev.oncegate.app.demo;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request asks the ledger to book. */
record Order(long amount, String currency) {

  static Optional<Order> ofJson(JsonObject body) {
    Object amount = body.getValue("amount");
    Object currency = body.getValue("currency");
    boolean whole = amount instanceof Integer || amount instanceof Long;
    return whole && currency instanceof String text
        ? order(((Number) amount).longValue(), text)
        : Optional.empty();
  }

  static Optional<Order> ofForm(Buffer body) {
    Map<String, List<String>> fields =
        new QueryStringDecoder(body.toString(StandardCharsets.UTF_8), false).parameters();
    String amount = fields.getOrDefault("amount", List.of("")).get(0);
    String currency = fields.getOrDefault("currency", List.of("")).get(0);
    return amount.matches("\\d{1,18}") ? order(Long.parseLong(amount), currency) : Optional.empty();
  }

  private static Optional<Order> order(long amount, String currency) {
    return amount > 0 && !currency.isBlank()
        ? Optional.of(new Order(amount, currency))
        : Optional.empty();
  }
}

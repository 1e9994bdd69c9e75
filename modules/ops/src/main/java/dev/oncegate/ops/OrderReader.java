package dev.oncegate.ops;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.BulkResolution.Selection;
import dev.oncegate.engine.Resolution.Order;
import dev.oncegate.engine.Resolution.Ruling;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a person says about one unknown outcome, or about many (contract §9). */
final class OrderReader {
  /** Enough for what was seen and where; timelines are read in terminals. */
  static final int LONGEST_REASON = 500;

  private static final int LONGEST_NAME = 100;
  private static final String NOBODY = "operator";

  /** They say in a timeline that no person did it. */
  private static final Set<String> RESERVED =
      Set.of("owner", "sweeper", "reconciler", "policy", "claim", "oncegate");

  private static final Set<String> ONE = Set.of("verdict", "reason", "force", "by", "response");
  private static final Set<String> MANY =
      Set.of(
          "verdict",
          "reason",
          "force",
          "by",
          "state",
          "route",
          "claimedFrom",
          "claimedUntil",
          "after",
          "limit");
  private static final Set<String> RESPONSE = Set.of("status", "headers", "body", "bodyBase64");

  private OrderReader() {}

  /** Many records and what to do with them. */
  record Bulk(Selection selection, Order order) {}

  static Order one(@Nullable Buffer body) {
    Members members = Members.ofBody(body, ONE);
    return order(members, members.object("response").map(OrderReader::given));
  }

  static Bulk many(@Nullable Buffer body) {
    Members members = Members.ofBody(body, MANY);
    if (members.value("state").isPresent()) {
      members.oneOf("state", List.of("unknown"));
    }
    Selection selection =
        new Selection(
            members.text("route"),
            time(members, "claimedFrom"),
            time(members, "claimedUntil"),
            members.text("after").map(Cursor::parse),
            members.numberIfGiven("limit", 1, RecordsQuery.MOST).orElse(RecordsQuery.USUAL));
    boolean bounded =
        selection.route().isPresent()
            || selection.claimedFrom().isPresent()
            || selection.claimedUntil().isPresent();
    if (!bounded) {
      throw OpsProblem.malformed(
              "Give 'route', 'claimedFrom' or 'claimedUntil': a verdict on everything that is"
                  + " unknown is not taken.")
          .refused();
    }
    return new Bulk(selection, order(members, Optional.empty()));
  }

  private static Optional<Instant> time(Members members, String member) {
    return members.text(member).map(text -> Parameters.time(member, text));
  }

  private static Order order(Members members, Optional<StoredResponse> response) {
    Ruling ruling =
        members.oneOf("verdict", List.of("applied", "notApplied")).equals("applied")
            ? Ruling.APPLIED
            : Ruling.NOT_APPLIED;
    boolean force = members.truth("force");
    if (ruling == Ruling.APPLIED && force) {
      throw members.bad("force", "only goes with notApplied, whose quarantine it skips");
    }
    if (ruling == Ruling.NOT_APPLIED && response.isPresent()) {
      throw members.bad("response", "only goes with applied");
    }
    return new Order(ruling, reason(members), by(members), force, response);
  }

  private static String reason(Members members) {
    String reason = members.text("reason").orElse("").strip();
    if (reason.isEmpty()) {
      throw members.bad("reason", "is missing: say how you know");
    }
    line(members, "reason", reason, LONGEST_REASON);
    return reason;
  }

  private static String by(Members members) {
    String by = members.text("by").orElse(NOBODY).strip();
    if (by.isEmpty() || RESERVED.contains(by.toLowerCase(java.util.Locale.ROOT))) {
      throw members.bad("by", "is no person's name");
    }
    line(members, "by", by, LONGEST_NAME);
    return by;
  }

  private static void line(Members members, String member, String text, int longest) {
    if (PlainText.length(text) > longest || !PlainText.isOneLine(text)) {
      throw members.bad(member, "is not one line of up to " + longest + " characters");
    }
  }

  private static StoredResponse given(io.vertx.core.json.JsonObject json) {
    Members response = Members.of("response", json, RESPONSE);
    int status = response.number("status", 200, 499);
    List<HeaderField> headers = GivenHeaders.parse(response);
    Bytes body = body(response, headers);
    // Their answers end with the head (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    if (body.length() > 0 && (status == 204 || status == 205 || status == 304)) {
      throw response.bad("body", "cannot be: a " + status + " has none");
    }
    return new StoredResponse(status, headers, Optional.of(body));
  }

  private static Bytes body(Members response, List<HeaderField> headers) {
    Optional<String> text = response.text("body");
    Optional<String> coded = response.text("bodyBase64");
    if (text.isPresent() && coded.isPresent()) {
      throw response.bad("body", "stands beside bodyBase64; give one of them");
    }
    if (text.isPresent() && headers.stream().anyMatch(h -> h.is("Content-Encoding"))) {
      throw response.bad("body", "cannot be in a Content-Encoding; give bodyBase64, or no coding");
    }
    if (coded.isEmpty()) {
      return Bytes.wrap(text.orElse("").getBytes(StandardCharsets.UTF_8));
    }
    try {
      return Bytes.wrap(Base64.getDecoder().decode(coded.get()));
    } catch (IllegalArgumentException e) {
      throw response.bad("bodyBase64", "is no base64");
    }
  }
}

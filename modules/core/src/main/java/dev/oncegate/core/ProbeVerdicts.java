package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an answer to a probe says about the effect that was asked for (contract §6). Only the
 * declared verdicts count: whatever is in doubt about an answer leaves the record as it is, since a
 * wrong "not applied" makes a second effect.
 *
 * <p>Takes time and memory in proportion to the body; one of more than some 256 KiB is too large
 * for an event loop.
 */
public final class ProbeVerdicts {
  private ProbeVerdicts() {}

  /** Whether an answer of this Content-Type is read as JSON. */
  public static boolean isJson(String contentType) {
    MediaType type = MediaType.parse(contentType);
    return type != null && type.isJson() && !type.hasForeignCharset();
  }

  /** What an answer says. */
  public sealed interface Result {}

  /**
   * The effect is there.
   *
   * @param replayBody exactly the bytes of the answer's body, or of the part of it, that is
   *     replayed
   */
  public record Applied(Bytes replayBody) implements Result {}

  /** There is no effect. Whether none can still appear is not for the answer to say. */
  public record NotApplied() implements Result {}

  /**
   * Nothing that counts.
   *
   * @param reason in a few words, without anything of the answer but its status
   */
  public record Undecided(String reason) implements Result {}

  /**
   * Judges a complete answer.
   *
   * @param body decoded; empty where the question was HEAD
   * @param json whether the answer's media type is JSON
   */
  public static Result of(Reconciliation.Probe probe, int status, Bytes body, boolean json) {
    Bytes read = probe.method().equals("HEAD") ? Bytes.EMPTY : body;
    boolean mayBeApplied = probe.applied().statuses().contains(status);
    boolean mayBeNotApplied = probe.notApplied().statuses().contains(status);
    if (!mayBeApplied && !mayBeNotApplied) {
      return new Undecided("status " + status + " is no verdict");
    }
    Optional<JsonPointer> pointer = asked(mayBeApplied, probe.applied().pointer());
    Optional<JsonPointer> part = asked(mayBeApplied, probe.applied().replayBody());
    Optional<JsonPointer> array = asked(mayBeNotApplied, probe.notApplied().emptyArray());
    if (pointer.isEmpty() && part.isEmpty() && array.isEmpty()) {
      return decide(mayBeApplied, mayBeNotApplied, Optional.of(read));
    }
    if (!json) {
      return new Undecided("not JSON");
    }
    JsonReader.Result parsed = JsonReader.read(read.array(), Numbers.EXACT, Strings.AS_IS);
    if (!(parsed instanceof JsonReader.Result.Read document)) {
      return new Undecided("no readable JSON");
    }
    JsonValue value = document.value();
    boolean applied = mayBeApplied && pointer.map(p -> isThere(at(value, p))).orElse(true);
    boolean notApplied = mayBeNotApplied && array.map(p -> isEmptyArray(at(value, p))).orElse(true);
    return decide(
        applied,
        notApplied,
        // Looked for only where it is replayed: most of it is a second walk over the body.
        applied && part.isPresent() ? JsonSlice.of(read, part.get()) : Optional.of(read));
  }

  private static Optional<JsonPointer> asked(boolean statusFits, Optional<JsonPointer> pointer) {
    return statusFits ? pointer : Optional.empty();
  }

  private static Result decide(boolean applied, boolean notApplied, Optional<Bytes> replayBody) {
    if (applied && notApplied) {
      return new Undecided("both verdicts at once");
    }
    if (applied) {
      return replayBody
          .<Result>map(Applied::new)
          .orElseGet(() -> new Undecided("the part to replay is missing"));
    }
    return notApplied ? new NotApplied() : new Undecided("neither verdict");
  }

  private static boolean isThere(@Nullable JsonValue value) {
    return value != null
        && !(value instanceof JsonValue.Literal literal && literal.word().equals("null"));
  }

  private static boolean isEmptyArray(@Nullable JsonValue value) {
    return value instanceof JsonValue.Items items && items.values().isEmpty();
  }

  /** The value that a pointer leads to (RFC 6901 §4); null where there is none. */
  private static @Nullable JsonValue at(JsonValue root, JsonPointer pointer) {
    JsonValue at = root;
    for (String token : PointerTree.tokens(pointer, name -> name)) {
      JsonValue next = null;
      if (at instanceof JsonValue.Members members) {
        next = members.values().get(token);
      } else if (at instanceof JsonValue.Items items) {
        next = item(items.values(), token);
      }
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at;
  }

  private static @Nullable JsonValue item(List<JsonValue> items, String token) {
    int index = PointerTree.index(token);
    return index >= 0 && index < items.size() ? items.get(index) : null;
  }
}

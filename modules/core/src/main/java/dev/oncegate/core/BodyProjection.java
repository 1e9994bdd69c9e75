package dev.oncegate.core;

import dev.oncegate.core.FingerprintPolicy.BodySelection;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body as far as it counts: the canonical form of the chosen parts of a JSON body, else the
 * SHA-256 digest of the bytes as they came. Each way has a name of its own in the projection, so
 * none can be taken for another.
 */
final class BodyProjection {
  private BodyProjection() {}

  /**
   * Writes the body.
   *
   * @param type null where there is no Content-Type, or none that can be read
   * @return why the body, or the whole of it, stands there although the policy asks for less or
   *     other; an empty body without a JSON media type has nothing to fall back from, and {@code
   *     raw} asks for nothing else
   */
  static Optional<FallbackReason> write(
      ProjectionWriter out, FingerprintPolicy policy, @Nullable MediaType type, Bytes body) {
    if (policy.body() instanceof BodySelection.Raw) {
      return raw(out, body, null);
    }
    if (type == null || !type.isJson()) {
      return raw(out, body, body.length() == 0 ? null : FallbackReason.NOT_JSON);
    }
    if (type.hasForeignCharset()) {
      return raw(out, body, FallbackReason.INVALID);
    }
    JsonReader.Result result = JsonReader.read(body.array(), policy.numbers(), policy.strings());
    if (result instanceof JsonReader.Result.Refused refused) {
      return raw(out, body, refused.reason());
    } else if (result instanceof JsonReader.Result.Read read) {
      return json(out, policy, read.value());
    }
    throw new BrokenInvariant("no such result: " + result.getClass());
  }

  private static Optional<FallbackReason> json(
      ProjectionWriter out, FingerprintPolicy policy, JsonValue value) {
    JsonCanonical canonical = new JsonCanonical(policy);
    BodySelection selection = policy.body();
    if (selection instanceof BodySelection.Whole) {
      out.part("json", canonical.whole(value));
      return Optional.empty();
    }
    if (selection instanceof BodySelection.Include include) {
      Bytes parts = canonical.only(value, include.pointers());
      if (parts != null) {
        out.part("json-parts", parts.array());
        return Optional.empty();
      }
    } else if (selection instanceof BodySelection.Exclude exclude) {
      String rest = canonical.without(value, exclude.pointers());
      if (rest != null) {
        out.part("json-rest", rest);
        return Optional.empty();
      }
    } else {
      throw new BrokenInvariant("no such selection: " + selection.getClass());
    }
    // Otherwise all bodies without any of the parts would be one body.
    out.part("json-nothing-selected", canonical.whole(value));
    return Optional.of(FallbackReason.EMPTY_PROJECTION);
  }

  private static Optional<FallbackReason> raw(
      ProjectionWriter out, Bytes body, @Nullable FallbackReason reason) {
    out.part("raw-sha256", sha256(body).hex().getBytes(StandardCharsets.US_ASCII));
    return Optional.ofNullable(reason);
  }

  private static Bytes sha256(Bytes body) {
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(body.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

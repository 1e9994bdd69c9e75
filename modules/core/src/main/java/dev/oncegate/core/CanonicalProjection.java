package dev.oncegate.core;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The exact bytes over which a fingerprint is taken (contract §3, §10): a sequence of named parts
 * that can be read back in one way only. Two requests have one projection exactly when they are the
 * same under the policy; where that is doubtful they differ, since a false mismatch (422) harms
 * less than a false replay.
 *
 * <p>Preconditions are all five of RFC 9110 §13.1. They, and the policy's further headers, count
 * with every value in its order as it stands, and by their absence: lists are not taken apart.
 * Multipart bodies have no form of their own, so a retry must repeat its bytes, boundary included.
 */
public final class CanonicalProjection {
  /** Of this form; a change of one byte anywhere is another version, beside this one. */
  public static final int VERSION = 1;

  private static final List<String> PRECONDITIONS =
      List.of("if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since");

  private CanonicalProjection() {}

  /** The bytes, and why the body stands in them whole or raw where the policy asks for less. */
  public record Projected(Bytes bytes, Optional<FallbackReason> fallback) {}

  /** Projects a request under a policy. */
  public static Projected of(FingerprintPolicy policy, FingerprintInput input) {
    ProjectionWriter out = new ProjectionWriter();
    out.part("version", Integer.toString(VERSION));
    out.part("method", input.method());
    out.part("route", input.route());
    new TreeMap<>(input.pathParameters())
        .forEach(
            (name, value) -> {
              out.part("path-name", name);
              out.part("path-value", PathTemplate.normalise(value));
            });
    QueryProjection.write(out, policy.query(), input.rawQuery());
    MediaType type = writeMediaType(out, input.headers());
    writeHeaders(out, policy, input.headers());
    Optional<FallbackReason> fallback = BodyProjection.write(out, policy, type, input.body());
    return new Projected(out.bytes(), fallback);
  }

  private static @Nullable MediaType writeMediaType(
      ProjectionWriter out, List<HeaderField> headers) {
    List<String> lines = values(headers, "content-type");
    MediaType type = lines.size() == 1 ? MediaType.parse(lines.get(0)) : null;
    if (type == null) {
      lines.forEach(line -> out.part("media-type-unread", line));
      return null;
    }
    out.part("media-type", type.essence());
    type.parameters()
        .forEach(
            parameter -> {
              out.part("media-type-parameter", parameter.name());
              out.part("media-type-value", parameter.value());
            });
    return type;
  }

  private static void writeHeaders(
      ProjectionWriter out, FingerprintPolicy policy, List<HeaderField> headers) {
    TreeSet<String> names = new TreeSet<>(PRECONDITIONS);
    policy.headers().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    for (String name : names) {
      List<String> values = values(headers, name);
      if (!values.isEmpty()) {
        out.part("header", name);
        values.forEach(value -> out.part("header-value", value));
      }
    }
  }

  private static List<String> values(List<HeaderField> headers, String name) {
    return headers.stream().filter(h -> h.is(name)).map(h -> h.value().strip()).toList();
  }
}

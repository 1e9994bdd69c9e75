package dev.oncegate.core;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as far as a fingerprint can depend on it.
 *
 * @param pathParameters a template match: values as they stand in the path, with the rest of the
 *     path where the template ends in {@code /**}
 * @param rawQuery what follows the question mark, undecoded; null without a question mark
 * @param headers all request headers, in order
 * @param body the body, decoded where it came in gzip or deflate
 */
public record FingerprintInput(
    String method,
    String route,
    Map<String, String> pathParameters,
    @Nullable String rawQuery,
    List<HeaderField> headers,
    Bytes body) {}

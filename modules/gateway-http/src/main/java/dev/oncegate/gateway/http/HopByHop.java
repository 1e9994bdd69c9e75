package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.HeaderPolicy;
import io.vertx.core.MultiMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What never crosses (RFC 9110 §7.6.1): one filter for both directions, since nothing in the HTTP
 * stack does all of it (libraries 3.1).
 */
final class HopByHop {
  private static final Set<String> ALWAYS =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /** Said anew for each side: whom we ask, how long the body is, and 100 is answered by us. */
  private static final Set<String> REBUILT = Set.of("host", "content-length", "expect");

  private HopByHop() {}

  /** A client's headers as the upstream may see them, in order, without Host and Content-Length. */
  static List<HeaderField> request(List<HeaderField> headers) {
    return endToEnd(headers).stream().filter(h -> !REBUILT.contains(lower(h))).toList();
  }

  /**
   * An upstream's headers as a client may see them, in order, without Content-Length, and without
   * the names that only Oncegate may set.
   */
  static List<HeaderField> answer(List<HeaderField> headers) {
    return endToEnd(headers).stream()
        .filter(h -> !h.is("Content-Length") && !HeaderPolicy.isOurs(h.name()))
        .toList();
  }

  private static List<HeaderField> endToEnd(List<HeaderField> headers) {
    Set<String> named = new HashSet<>();
    for (HeaderField header : headers) {
      if (header.is("Connection")) {
        for (String token : header.value().split(",", -1)) {
          named.add(token.strip().toLowerCase(Locale.ROOT));
        }
      }
    }
    return headers.stream()
        .filter(h -> !ALWAYS.contains(lower(h)) && !named.contains(lower(h)))
        .toList();
  }

  /** All lines, in order, in their own letter case. */
  static List<HeaderField> lines(MultiMap headers) {
    return headers.entries().stream()
        .map((Map.Entry<String, String> e) -> new HeaderField(e.getKey(), e.getValue()))
        .toList();
  }

  private static String lower(HeaderField header) {
    return header.name().toLowerCase(Locale.ROOT);
  }
}

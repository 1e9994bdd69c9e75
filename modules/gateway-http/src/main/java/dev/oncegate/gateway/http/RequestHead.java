package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request that passed the guard.
 *
 * @param host lower case, without its port
 * @param path the client's own bytes
 * @param query what follows the question mark, undecoded; null without a question mark
 * @param headers all header lines in order
 */
record RequestHead(
    String method, String host, String path, @Nullable String query, List<HeaderField> headers) {

  RequestHead {
    headers = List.copyOf(headers);
  }

  /** The values of all lines of one name, in order. */
  List<String> values(String name) {
    return headers.stream().filter(h -> h.is(name)).map(HeaderField::value).toList();
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import java.util.List;

/**
 * A complete answer as the upstream gave it.
 *
 * @param headers end-to-end headers in order, without Content-Length
 */
public record UpstreamAnswer(int status, List<HeaderField> headers, Bytes body) {
  public UpstreamAnswer {
    headers = List.copyOf(headers);
  }
}

package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import java.util.List;

/**
 * A request to send once.
 *
 * @param target path and query below the upstream's base path, in the client's own bytes
 * @param headers end-to-end headers in order, without Host and Content-Length
 */
public record UpstreamRequest(String method, String target, List<HeaderField> headers, Bytes body) {
  public UpstreamRequest {
    headers = List.copyOf(headers);
  }
}

package dev.oncegate.core;

import java.util.List;
import java.util.Optional;

/**
 * The plain form of a stored answer.
 *
 * @param headers end-to-end headers in their order and multiplicity
 * @param body empty when it was not kept
 */
public record StoredResponse(int status, List<HeaderField> headers, Optional<Bytes> body) {
  public StoredResponse {
    headers = List.copyOf(headers);
  }
}

package dev.oncegate.core;

/**
 * A terminal answer as the store holds it: head and body sealed (or plain where the tenant says so)
 * and a digest over exactly these bytes. Immutable until the deadline.
 *
 * @param status 200 to 499; no 5xx is ever stored (contract §4)
 * @param head the end-to-end headers, encoded and perhaps sealed
 * @param digest SHA-256 over status, head and body; checked at every replay
 * @param sealed whether head and body are encrypted under the record's secret
 */
public record StoredAnswer(int status, Bytes head, StoredBody body, Bytes digest, boolean sealed) {
  public StoredAnswer {
    BrokenInvariant.require(status >= 200 && status <= 499, "only 200 to 499 can be stored");
    BrokenInvariant.require(digest.length() == 32, "a digest has 32 bytes");
  }
}

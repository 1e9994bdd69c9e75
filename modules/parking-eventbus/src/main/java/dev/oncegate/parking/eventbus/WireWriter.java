package dev.oncegate.parking.eventbus;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Writes the parts of a message as {@link WireReader} reads them. */
final class WireWriter {
  private final Buffer buffer = Buffer.buffer(192);

  WireWriter octet(int value) {
    buffer.appendByte((byte) value);
    return this;
  }

  WireWriter number(int value) {
    buffer.appendInt(value);
    return this;
  }

  WireWriter any(long value) {
    buffer.appendLong(value);
    return this;
  }

  WireWriter id(RecordId id) {
    buffer.appendBytes(id.digest().array());
    return this;
  }

  WireWriter token(FencingToken token) {
    return any(token.value());
  }

  /** Longer than can be written (25 days) is as long as can be. */
  WireWriter millis(Duration duration) {
    long millis =
        duration.compareTo(Duration.ofDays(24)) > 0 ? Integer.MAX_VALUE : duration.toMillis();
    return number((int) Math.max(0, millis));
  }

  WireWriter address(String address) {
    byte[] text = address.getBytes(StandardCharsets.US_ASCII);
    BrokenInvariant.require(text.length <= BusCodec.LONGEST_ADDRESS, "addresses are short");
    buffer.appendByte((byte) text.length).appendBytes(text);
    return this;
  }

  WireWriter addresses(List<String> addresses) {
    number(addresses.size());
    addresses.forEach(this::address);
    return this;
  }

  byte[] bytes() {
    return buffer.getBytes();
  }
}

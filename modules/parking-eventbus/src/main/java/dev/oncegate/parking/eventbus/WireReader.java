package dev.oncegate.parking.eventbus;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the parts of a message, each within its bounds. */
final class WireReader {
  private final ByteBuffer bytes;

  WireReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  /** A message that is not in our form: of another version, or of nobody who knows it. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String what) {
      super(what, null, false, false);
    }
  }

  int number(int least, int most) throws Malformed {
    need(Integer.BYTES);
    int value = bytes.getInt();
    if (value < least || value > most) {
      throw new Malformed("a number out of its bounds");
    }
    return value;
  }

  long any() throws Malformed {
    need(Long.BYTES);
    return bytes.getLong();
  }

  int octet() throws Malformed {
    need(1);
    return bytes.get() & 0xff;
  }

  RecordId id() throws Malformed {
    need(RecordId.LENGTH);
    byte[] digest = new byte[RecordId.LENGTH];
    bytes.get(digest);
    return new RecordId(Bytes.wrap(digest));
  }

  FencingToken token() throws Malformed {
    long value = any();
    if (value <= 0) {
      throw new Malformed("a token that is not positive");
    }
    return new FencingToken(value);
  }

  Duration millis() throws Malformed {
    return Duration.ofMillis(number(0, Integer.MAX_VALUE));
  }

  String address() throws Malformed {
    int length = octet();
    need(length);
    byte[] text = new byte[length];
    bytes.get(text);
    return new String(text, StandardCharsets.US_ASCII);
  }

  List<String> addresses(int most) throws Malformed {
    int count = number(0, most);
    List<String> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      addresses.add(address());
    }
    return addresses;
  }

  void end() throws Malformed {
    if (bytes.hasRemaining()) {
      throw new Malformed("bytes behind the end");
    }
  }

  private void need(int count) throws Malformed {
    if (bytes.remaining() < count) {
      throw new Malformed("cut short");
    }
  }
}

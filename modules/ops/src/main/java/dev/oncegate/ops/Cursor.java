package dev.oncegate.ops;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.RecordReader.Position;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/** Where the next page begins, as a text that callers only hand back. */
final class Cursor {
  private static final int TIME = Long.BYTES + Integer.BYTES;

  private Cursor() {}

  static String of(Position last) {
    ByteBuffer bytes =
        ByteBuffer.allocate(TIME + RecordId.LENGTH)
            .putLong(last.claimedAt().getEpochSecond())
            .putInt(last.claimedAt().getNano())
            .put(last.id().digest().array());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  static Position parse(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length == TIME + RecordId.LENGTH) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        Instant claimedAt = Instant.ofEpochSecond(in.getLong(), in.getInt());
        return new Position(
            claimedAt, new RecordId(Bytes.wrap(Arrays.copyOfRange(bytes, TIME, bytes.length))));
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      // Told below, as a wrong length is.
    }
    throw Parameters.bad("after", "is not a cursor of a page before");
  }
}

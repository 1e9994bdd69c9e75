package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Binary form of an ordered list of fields: a format byte, the count, then name and value, each
 * with its length before it. Keeps order, multiplicity, letter case and empty values.
 */
final class FieldCodec {
  private static final byte FORMAT = 1;

  private FieldCodec() {}

  static Bytes encode(List<HeaderField> fields) {
    List<byte[]> parts = new ArrayList<>();
    int size = 1 + 4;
    for (HeaderField field : fields) {
      for (String text : new String[] {field.name(), field.value()}) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        parts.add(bytes);
        size += 4 + bytes.length;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(size).put(FORMAT).putInt(fields.size());
    parts.forEach(part -> out.putInt(part.length).put(part));
    return Bytes.wrap(out.array());
  }

  /** The fields, or empty where the bytes are not of this form. */
  static Optional<List<HeaderField>> decode(Bytes bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes.array());
      if (in.get() != FORMAT) {
        return Optional.empty();
      }
      int count = in.getInt();
      List<HeaderField> fields = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        fields.add(new HeaderField(text(in), text(in)));
      }
      return in.hasRemaining() ? Optional.empty() : Optional.of(fields);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

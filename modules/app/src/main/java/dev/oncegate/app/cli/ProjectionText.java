package dev.oncegate.app.cli;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A canonical projection, one line per part, safe on a terminal. */
final class ProjectionText {
  private static final int NAME = 22;

  private ProjectionText() {}

  /** Reads the parts back, each its name, its length in bytes and its bytes. */
  static List<String> lines(Bytes projection) {
    byte[] bytes = projection.array();
    List<String> lines = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int name = next(bytes, at);
      int length = next(bytes, name + 1);
      int size = Integer.parseInt(ascii(bytes, name + 1, length));
      String content = new String(bytes, length + 1, size, StandardCharsets.UTF_8);
      lines.add(
          (" ".repeat(2) + ascii(bytes, at, name) + " ".repeat(NAME)).substring(0, NAME)
              + escaped(content));
      at = length + 1 + size + 1;
    }
    return lines;
  }

  private static int next(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == ' ') {
        return i;
      }
    }
    throw new BrokenInvariant("a part has a name and a length");
  }

  private static String ascii(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                out.append("\\u%04x".formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }
}

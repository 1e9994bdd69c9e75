package dev.oncegate.core;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes named parts one after another, each as its name, its length in bytes, and the bytes: a
 * sequence of parts can be read back in exactly one way, whatever the bytes are, so no character
 * can move from one part into the next and two requests have one projection only where all parts
 * are equal. Text stays readable, for people who ask what their projection is.
 */
final class ProjectionWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Adds a part whose content is characters. */
  void part(String name, String text) {
    part(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Adds a part.
   *
   * @param name a fixed word of this package without blanks
   */
  void part(String name, byte[] content) {
    out.writeBytes((name + " " + content.length + " ").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(content);
    out.write('\n');
  }

  /** All that was written. */
  Bytes bytes() {
    return Bytes.wrap(out.toByteArray());
  }
}

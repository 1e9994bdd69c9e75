package dev.oncegate.app.cli;

import java.io.IOException;
import java.io.InputStream;

/** What a person types. */
final class Answers {
  private static final int LONGEST = 100;

  private Answers() {}

  /** One line, or what there is of it; empty where nobody is there. */
  static String line(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LONGEST; c = in.read()) {
        line.append((char) c);
      }
    } catch (IOException e) {
      return "";
    }
    return line.toString();
  }
}

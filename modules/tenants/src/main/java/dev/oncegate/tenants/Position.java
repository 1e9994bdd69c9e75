package dev.oncegate.tenants;

import java.util.Comparator;

/**
 * A place in a configuration file.
 *
 * @param file the file as the user named it
 * @param line from 1
 * @param column in characters, from 1
 */
public record Position(String file, int line, int column) implements Comparable<Position> {
  private static final Comparator<Position> ORDER =
      Comparator.comparing(Position::file)
          .thenComparingInt(Position::line)
          .thenComparingInt(Position::column);

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }

  /**
   * How a finding at {@code seenFrom} refers to this place: the file is named only if it differs.
   */
  String seenFrom(Position seenFrom) {
    String place = line + ":" + column;
    return file.equals(seenFrom.file) ? place : file + ":" + place;
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}

package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code tenants-example.yaml}, the whole or the supported part of it, with places changed. Both
 * have the same lines, so that positions in {@code tenants-checks.md} hold.
 */
final class Example {
  private final List<String> lines;

  private Example(List<String> lines) {
    this.lines = lines;
  }

  /** The whole format, of which this release refuses parts. */
  static Example whole() {
    return new Example(
        Arrays.asList(
            Reads.resource("/dev/oncegate/tenants/tenants-example.yaml").split("\n", -1)));
  }

  static Example whole(int line, String from, String to) {
    return whole().and(line, from, to);
  }

  static Example unchanged() {
    return new Example(
        Arrays.asList(
            Reads.resource("/dev/oncegate/tenants/example-supported.yaml").split("\n", -1)));
  }

  static Example with(int line, String from, String to) {
    return unchanged().and(line, from, to);
  }

  /** Replaces a text in a line, counted from 1; the text must stand there. */
  Example and(int line, String from, String to) {
    List<String> changed = new ArrayList<>(lines);
    String before = changed.get(line - 1);
    if (!before.contains(from)) {
      throw new AssertionError("line " + line + " is: " + before);
    }
    changed.set(line - 1, before.replace(from, to));
    return new Example(changed);
  }

  /** Puts a whole line in the place of a commented one. */
  Example instead(int line, String text) {
    List<String> changed = new ArrayList<>(lines);
    if (!changed.get(line - 1).startsWith("#")) {
      throw new AssertionError("line " + line + " is in use");
    }
    changed.set(line - 1, text);
    return new Example(changed);
  }

  List<String> findings() {
    return Reads.findings(text());
  }

  /** Every finding but those on what is not supported yet. */
  List<String> sense() {
    return findings().stream().filter(f -> !f.contains(": not supported yet: ")).toList();
  }

  String text() {
    return String.join("\n", lines);
  }
}

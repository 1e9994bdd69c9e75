package dev.oncegate.core;

/**
 * One header line as it stood: name in its own letter case, value as ISO 8859-1 characters, so that
 * any byte survives.
 */
public record HeaderField(String name, String value) {
  /** Names are compared without regard to case (RFC 9110 §5.1). */
  public boolean is(String other) {
    return name.equalsIgnoreCase(other);
  }
}

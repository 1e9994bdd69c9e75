package dev.oncegate.app.config;

/**
 * What a setting takes.
 *
 * @param form for people, with unit and range
 */
record Kind<T>(String form, Reader<T> reader) {
  /** Judges a value and gives it its type. */
  @FunctionalInterface
  interface Reader<T> {
    Fit<T> read(Given given);
  }

  Fit<T> read(Given given) {
    return reader.read(given);
  }
}

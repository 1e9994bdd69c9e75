package dev.oncegate.app.config;

/** What became of a value that was given for a setting. */
sealed interface Fit<T> {
  /** It fits. */
  record Taken<T>(T value) implements Fit<T> {
    @Override
    public String toString() {
      return "Taken[hidden]";
    }
  }

  /**
   * It does not.
   *
   * @param problem goes on after the setting's name; of a secret it says nothing
   * @param remedy what would be right
   */
  record Unfit<T>(String problem, String remedy) implements Fit<T> {}
}

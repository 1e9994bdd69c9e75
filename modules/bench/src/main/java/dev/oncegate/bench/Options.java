package dev.oncegate.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers given as {@code --name=value}; what is not given is as built in. */
final class Options {
  private final Map<String, Integer> numbers;

  private Options(Map<String, Integer> numbers) {
    this.numbers = numbers;
  }

  /** Throws {@link IllegalArgumentException} for anything else. */
  static Options parse(Map<String, Integer> builtIn, String... arguments) {
    Map<String, Integer> numbers = new LinkedHashMap<>(builtIn);
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      String name = pair[0].replaceFirst("^--", "");
      if (pair.length != 2 || !numbers.containsKey(name) || !pair[1].matches("\\d{1,9}")) {
        throw new IllegalArgumentException(
            argument + " is not one of --NAME=NUMBER with the names " + numbers.keySet());
      }
      numbers.put(name, Integer.valueOf(pair[1]));
    }
    return new Options(numbers);
  }

  int get(String name) {
    Integer number = numbers.get(name);
    if (number == null) {
      throw new IllegalArgumentException("no such option: " + name);
    }
    return number;
  }

  @Override
  public String toString() {
    return numbers.toString();
  }
}

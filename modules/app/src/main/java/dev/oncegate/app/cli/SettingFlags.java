package dev.oncegate.app.cli;

import dev.oncegate.app.config.ServeFlags;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of a command that are settings: by their names, so that none is forgotten. */
final class SettingFlags {
  static final String CONFIG = "--config";

  private SettingFlags() {}

  /** Adds every one of them, and the settings file. */
  static void all(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder(CONFIG)
            .paramLabel("FILE")
            .type(Path.class)
            .description(
                "The settings file; conf/oncegate.yaml where that exists. Its paths, like those of"
                    + " flags, are relative to the working directory.")
            .build());
    ServeFlags.known().forEach(flag -> add(spec, flag, flag.meaning()));
  }

  /** Adds some, whose built-in values are others than usual. */
  static void some(CommandSpec spec, Map<String, String> meanings) {
    ServeFlags.known().stream()
        .filter(flag -> meanings.containsKey(flag.name()))
        .forEach(flag -> add(spec, flag, meanings.getOrDefault(flag.name(), "")));
  }

  private static void add(CommandSpec spec, ServeFlags.Flag flag, String meaning) {
    OptionSpec.Builder option =
        OptionSpec.builder(flag.name()).description(meaning).hidden(flag.later());
    // Values are judged with those of the file, not by the parser.
    spec.addOption(
        flag.truth()
            ? option.type(Boolean.class).arity("0").build()
            : option.type(String.class).arity("1").paramLabel(label(flag.name())).build());
  }

  private static String label(String flag) {
    return switch (flag) {
      case "--host", "--ops-host" -> "HOST";
      case "--port", "--ops-port" -> "PORT";
      case "--postgres", "--redis" -> "URI";
      case "--data-dir" -> "DIR";
      default -> "FILE";
    };
  }

  /** What was said on the command line that is being run. */
  static ServeFlags of(CommandSpec spec) {
    Map<String, String> values = new TreeMap<>();
    Optional<Path> config = Optional.empty();
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      Object value = option.getValue();
      if (option.longestName().equals(CONFIG)) {
        config = Optional.ofNullable((Path) value);
      } else if (value != null) {
        values.put(option.longestName(), value.toString());
      }
    }
    return new ServeFlags(config, values);
  }
}

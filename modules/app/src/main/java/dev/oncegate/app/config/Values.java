package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.tenants.Finding;
import dev.oncegate.tenants.Position;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The value of every setting, each judged before any is used. */
final class Values {
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, Given> given;

  private Values(Map<String, Given> given) {
    this.given = given;
  }

  /**
   * Judges what was given. Everything that a file gets wrong is said at once; of flags and
   * variables the first.
   *
   * @param builtIns by a setting's name, instead of its own
   */
  static Values of(Map<String, Given> given, Map<String, String> builtIns) {
    List<Finding> findings = new ArrayList<>(FileKeys.check(given));
    Values values = new Values(given);
    for (Setting<?> setting : Settings.ALL) {
      values.take(setting, builtIns).ifPresent(findings::add);
    }
    if (!findings.isEmpty()) {
      throw StartFailure.refused(Finding.sorted(findings));
    }
    return values;
  }

  private <T> Optional<Finding> take(Setting<T> setting, Map<String, String> builtIns) {
    Optional<Given> said =
        Optional.ofNullable(given.get(setting.pointer()))
            .or(
                () ->
                    Optional.ofNullable(builtIns.get(setting.name()))
                        .or(setting::builtIn)
                        .map(Given::builtIn));
    if (said.isEmpty()) {
      return Optional.empty();
    }
    Fit<T> fit = setting.kind().read(said.get());
    if (fit instanceof Taken<T> taken) {
      values.put(setting.name(), taken.value());
      return Optional.empty();
    }
    Unfit<T> unfit = (Unfit<T>) fit;
    Optional<Position> at = said.get().at();
    if (at.isPresent()) {
      return Optional.of(
          Finding.error(at.get(), setting.name(), unfit.problem() + "; " + unfit.remedy()));
    }
    if (setting.isLater()) {
      throw StartFailure.invalid(said.get().from() + " " + unfit.problem());
    }
    throw StartFailure.invalid(said.get().from() + " " + unfit.problem() + "; " + unfit.remedy());
  }

  /** A setting that always has a value. */
  <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(() -> new BrokenInvariant("a setting without a value: " + setting.name()));
  }

  /** A setting that may have none. */
  @SuppressWarnings("unchecked") // take() put what the setting's own kind made
  <T> Optional<T> find(Setting<T> setting) {
    return Optional.ofNullable((T) values.get(setting.name()));
  }

  /** Whether somebody gave it a value. */
  boolean isSaid(Setting<?> setting) {
    return given.containsKey(setting.pointer());
  }

  /** A file that is given and can be read, absolute. What is in it is judged where it is used. */
  Path readable(Setting<Path> setting) {
    Path file = get(setting);
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw contradiction(setting, "file " + file + " cannot be read; give a PEM file");
    }
    return file.toAbsolutePath();
  }

  /** A contradiction, said where the setting was said. */
  StartFailure contradiction(Setting<?> setting, String message) {
    Given said = given.getOrDefault(setting.pointer(), Given.builtIn(""));
    return said.at()
        .map(at -> StartFailure.refused(List.of(Finding.error(at, setting.name(), message))))
        .orElseGet(() -> StartFailure.invalid(setting.name() + ": " + message));
  }
}

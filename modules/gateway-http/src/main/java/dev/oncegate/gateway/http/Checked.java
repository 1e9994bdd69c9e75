package dev.oncegate.gateway.http;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.engine.Problem;
import java.util.function.Function;

/** The result of a step that may refuse a request. */
sealed interface Checked<T> {
  record Passed<T>(T value) implements Checked<T> {}

  record Refused<T>(Problem problem) implements Checked<T> {}

  static <T> Checked<T> passed(T value) {
    return new Passed<>(value);
  }

  static <T> Checked<T> refused(Problem.Type type, String detail) {
    return new Refused<>(Problem.of(type, detail));
  }

  /** The next step, or the refusal that stands. */
  default <R> Checked<R> then(Function<T, Checked<R>> step) {
    if (this instanceof Passed<T> passed) {
      return step.apply(passed.value());
    } else if (this instanceof Refused<T> refused) {
      return new Refused<>(refused.problem());
    }
    throw new BrokenInvariant("no such result: " + getClass());
  }
}

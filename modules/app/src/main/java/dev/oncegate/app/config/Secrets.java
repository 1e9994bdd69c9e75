package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import dev.oncegate.app.config.GatewayConfig.Secret;
import dev.oncegate.tenants.SecretResolver;
import dev.oncegate.tenants.SecretResolver.Found;
import dev.oncegate.tenants.SecretResolver.Missing;
import io.vertx.core.json.JsonArray;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that nobody may read over a shoulder: references in a file, which is copied and
 * committed; values in variables. What is said about them never repeats them.
 */
final class Secrets {
  static final String REFERENCE = "write ${env:NAME} or ${file:/absolute/path}";

  private static final Pattern FORM =
      Pattern.compile("\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^}]+)\\}");
  private static final int LEAST_TOKEN = 16;
  private static final String REMEDY = "make one with: openssl rand -hex 32";

  private Secrets() {}

  /** An installation secret: random bytes as text. */
  static Kind<Secret> installation() {
    return new Kind<>("secret: hex or base64 of 32 bytes or more", Secrets::one);
  }

  /** Installation secrets; only a file can hold more than one. */
  static Kind<List<Secret>> installations() {
    return new Kind<>(
        "list of secrets",
        given -> {
          List<Secret> secrets = new ArrayList<>();
          if (!(given.value() instanceof JsonArray list)) {
            return new Unfit<>(
                "is no list", "write a list of references, such as [\"${env:OLD}\"]");
          }
          for (Object item : list) {
            Fit<Secret> secret = one(new Given(item, given.from(), given.at(), given.keys()));
            if (secret instanceof Unfit<Secret> unfit) {
              return new Unfit<>("has an entry that " + unfit.problem(), unfit.remedy());
            }
            secrets.add(((Taken<Secret>) secret).value());
          }
          return new Taken<>(List.copyOf(secrets));
        });
  }

  /** A credential of people and programs. */
  static Kind<Secret> token() {
    return new Kind<>(
        "secret, " + LEAST_TOKEN + " characters or more",
        given -> {
          Fit<String> text = text(given);
          if (text instanceof Unfit<String> unfit) {
            return new Unfit<>(unfit.problem(), unfit.remedy());
          }
          String value = ((Taken<String>) text).value();
          if (value.length() < LEAST_TOKEN) {
            return new Unfit<>("is too short to be safe", REMEDY);
          }
          // What no header can carry would only look like a wrong token later.
          return value.chars().allMatch(c -> c >= 0x21 && c <= 0x7E)
              ? new Taken<>(new Secret(value.getBytes(StandardCharsets.UTF_8)))
              : new Unfit<>("holds a blank or a character that is not ASCII", REMEDY);
        });
  }

  private static Fit<Secret> one(Given given) {
    Fit<String> text = text(given);
    return text instanceof Taken<String> taken
        ? SecretText.decode(taken.value())
        : new Unfit<>(((Unfit<String>) text).problem(), ((Unfit<String>) text).remedy());
  }

  private static Fit<String> text(Given given) {
    if (given.inFile()) {
      return isReference(given.value())
          ? resolve(given.value())
          : new Unfit<>("is a literal, which is refused", REFERENCE);
    }
    return new Taken<>(String.valueOf(given.value()));
  }

  static boolean isReference(@Nullable Object value) {
    return value instanceof String text && FORM.matcher(text).matches();
  }

  /** What a reference leads to. */
  static Fit<String> resolve(@Nullable Object reference) {
    SecretResolver.Resolved resolved = SecretResolver.system().resolve(String.valueOf(reference));
    if (resolved instanceof Found found) {
      return new Taken<>(found.secret());
    }
    Missing missing = (Missing) resolved;
    return new Unfit<>(
        "cannot be had: " + missing.why(),
        missing.remedy().isEmpty() ? "create it, readable for this process" : missing.remedy());
  }
}

package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which gateway is asked, and by what right. */
final class OpsOptions {
  /** Where the ops port is, for shells that always ask the same one. */
  static final String URL = "ONCEGATE_OPS_URL";

  private static final String TOKEN = "ONCEGATE_ADMIN_TOKEN";
  private static final String USUAL = "http://127.0.0.1:8081";

  private final Map<String, String> variables;

  @Option(
      names = "--ops",
      paramLabel = "URL",
      description = "The ops port. Built-in: " + URL + ", else " + USUAL + ".")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Token of the ops API; others on this machine may see it. Built-in: " + TOKEN + ".")
  private @Nullable String token;

  @Option(names = "--token-file", paramLabel = "FILE", description = "A file with the token.")
  private @Nullable Path tokenFile;

  @Option(names = "--json", description = "Prints what the ops API says, as JSON.")
  private boolean json;

  OpsOptions(Map<String, String> variables) {
    this.variables = variables;
  }

  boolean json() {
    return json;
  }

  OpsClient client() {
    return new OpsClient(base(), token());
  }

  private String base() {
    String given = Optional.ofNullable(url).or(() -> variable(URL)).orElse(USUAL);
    String base = given.replaceFirst("/+$", "");
    try {
      URI uri = URI.create(base);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getQuery() == null && uri.getUserInfo() == null) {
        return base;
      }
    } catch (IllegalArgumentException e) {
      // Told below, as another scheme is.
    }
    throw StartFailure.invalid("the ops port is '" + given + "'; give a URL such as " + USUAL);
  }

  private String token() {
    if (token != null && tokenFile != null) {
      throw StartFailure.invalid("--token and --token-file are both given; choose one");
    }
    String text =
        Optional.ofNullable(token)
            .or(() -> Optional.ofNullable(tokenFile).map(OpsOptions::read))
            .or(() -> variable(TOKEN))
            .orElseThrow(
                () ->
                    StartFailure.invalid(
                        "there is no token for the ops API; give --token-file, --token or "
                            + TOKEN
                            + " (serve and demo print a random one where none is configured)"));
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= 0x21 && c <= 0x7E)) {
      throw StartFailure.invalid("the token is no token: it is empty or holds blanks");
    }
    return text;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw StartFailure.invalid("--token-file " + file + " cannot be read", e);
    }
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }
}

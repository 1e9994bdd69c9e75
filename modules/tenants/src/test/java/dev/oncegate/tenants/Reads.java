package dev.oncegate.tenants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads texts as {@code tenants.yaml} in tests. */
final class Reads {
  /** Every reference leads to the digest of the empty text. */
  static final SecretResolver ANY_DIGEST =
      reference ->
          new SecretResolver.Found(
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

  private Reads() {}

  static String resource(String name) {
    try (InputStream in = Reads.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TenantsLoader.Options options() {
    return new TenantsLoader.Options(
        TenantsLoader.Mode.SERVE, ANY_DIGEST, List.of(new TenantsLoader.Listener("0.0.0.0", 8080)));
  }

  static TenantsLoader.Result read(String text, TenantsLoader.Options options) {
    return new TenantsReader(options).read(List.of(source("tenants.yaml", text)));
  }

  static TenantsLoader.Source source(String file, String text) {
    return new TenantsLoader.Source(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Every finding, refusing or not, as it is printed. */
  static List<String> findings(String text) {
    return findings(read(text, options()));
  }

  static List<String> findings(TenantsLoader.Result result) {
    List<Finding> findings =
        result instanceof TenantsLoader.Loaded loaded
            ? loaded.remarks()
            : ((TenantsLoader.Refused) result).findings();
    return findings.stream().map(Finding::toString).toList();
  }

  static TenantsLoader.Loaded loaded(String text) {
    TenantsLoader.Result result = read(text, options());
    if (result instanceof TenantsLoader.Loaded loaded) {
      return loaded;
    }
    throw new AssertionError(String.join("\n", findings(result)));
  }
}

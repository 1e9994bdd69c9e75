package dev.oncegate.tenants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads texts as {@code tenants.yaml} in tests. */
final class Reads {
  /** Every reference leads to a secret of the kind that its name tells; else to a digest. */
  static final SecretResolver SECRETS =
      new SecretResolver() {
        @Override
        public Resolved resolve(String reference) {
          if (reference.endsWith(".key}")) {
            return new Found(resource("/dev/oncegate/tenants/pem/ec.pem"));
          }
          return new Found(
              reference.contains("keyset")
                  ? "{}"
                  : "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        }

        @Override
        public Resolved certificates(String path) {
          return new Found(resource("/dev/oncegate/tenants/pem/ec.crt"));
        }
      };

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
        TenantsLoader.Mode.SERVE, SECRETS, List.of(new TenantsLoader.Listener("0.0.0.0", 8080)));
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

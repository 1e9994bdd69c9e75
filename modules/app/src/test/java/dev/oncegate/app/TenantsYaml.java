package dev.oncegate.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The tenants of the process tests: one tenant {@code shop} under {@code /shop}. */
public final class TenantsYaml {
  private TenantsYaml() {}

  /** The file's text with the upstream on a loopback port. */
  public static String withUpstream(int port) {
    try (InputStream in = TenantsYaml.class.getResourceAsStream("/process-tenants.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@UPSTREAM@", Integer.toString(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.oncegate.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The tenants of the process tests; the first of each file is {@code shop} under {@code /shop}. */
public final class TenantsYaml {
  private TenantsYaml() {}

  /** The file's text with the upstream on a loopback port. */
  public static String withUpstream(int port) {
    return read("/process-tenants.yaml").replace("@UPSTREAM@", Integer.toString(port));
  }

  /** The tenants of the proofs: many routes, tenants with and without API keys, one lease. */
  public static String forProofs(int port, String leaseTtl, String renewEvery) {
    return read("/proof-tenants.yaml")
        .replace("@UPSTREAM@", Integer.toString(port))
        .replace("@TTL@", leaseTtl)
        .replace("@RENEW@", renewEvery);
  }

  /**
   * The tenants of the kill drills: one that is asked, one that knows keys, one that has neither.
   */
  public static String forDrills(int port) {
    return read("/drill-tenants.yaml").replace("@UPSTREAM@", Integer.toString(port));
  }

  /** Tenants whose duplicates wait in any number: {@code shop} and {@code billing}. */
  public static String forWaiting(String upstream, String maxWait) {
    return forWaiting(upstream, maxWait, "45s", "15s");
  }

  /** The same with another lease. */
  public static String forWaiting(
      String upstream, String maxWait, String leaseTtl, String renewEvery) {
    return read("/waiting-tenants.yaml")
        .replace("@UPSTREAM@", upstream)
        .replace("@WAIT@", maxWait)
        .replace("@TTL@", leaseTtl)
        .replace("@RENEW@", renewEvery);
  }

  /** Tenants with bodies of many megabytes: {@code kept} keeps the answers, {@code shop} not. */
  public static String forLargeBodies(int port) {
    return read("/large-tenants.yaml").replace("@UPSTREAM@", Integer.toString(port));
  }

  private static String read(String resource) {
    try (InputStream in = TenantsYaml.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.oncegate.tenants;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * An upstream's address.
 *
 * @param host in lower case; an IPv6 address in brackets
 * @param path without a slash at its end; may be empty
 */
record BaseUrl(boolean tls, String host, int port, String path) {

  /** Parses what the schema took for a base URL; empty where host or port are none. */
  static Optional<BaseUrl> parse(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    boolean tls = "https".equals(uri.getScheme());
    int port = uri.getPort() == -1 ? (tls ? 443 : 80) : uri.getPort();
    if (uri.getHost() == null || port < 1 || port > 65_535) {
      return Optional.empty();
    }
    String path = uri.getRawPath();
    return Optional.of(
        new BaseUrl(tls, uri.getHost().toLowerCase(Locale.ROOT), port, path.replaceAll("/+$", "")));
  }

  /** Whether the host can only be this machine. */
  boolean isLoopback() {
    return isLoopback(host);
  }

  static boolean isLoopback(String host) {
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.matches("127(\\.[0-9]{1,3}){3}")
        || host.equals("[::1]")
        || host.equals("::1");
  }
}

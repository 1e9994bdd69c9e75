package dev.oncegate.app.config;

/**
 * Where to listen.
 *
 * @param host a name or an address; 0.0.0.0 is every IPv4 address
 * @param port 0 to 65535; 0 lets the system choose, and the ready line says which
 */
public record Address(String host, int port) {
  static final int HIGHEST_PORT = 65_535;

  /** The same place with the port that was really taken. */
  public Address withPort(int actual) {
    return new Address(host, actual);
  }

  /** As a URL's authority, so that IPv6 gets its brackets. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? '[' + host + ']' : host) + ':' + port;
  }
}

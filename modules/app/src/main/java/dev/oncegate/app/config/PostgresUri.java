package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * {@code postgresql://user:password@host:5432/database?sslmode=require}, as libpq writes it.
 *
 * @param value holds the password: only {@link #toString()} may be shown
 */
public record PostgresUri(String value) {
  static final String EXPECTED = "must look like postgresql://USER:PASSWORD@HOST:PORT/DATABASE";

  /** Takes a URI that names a host, a user and a database, or says what is wrong with it. */
  static Fit<PostgresUri> parse(String value) {
    URI uri;
    try {
      uri = new URI(value);
    } catch (URISyntaxException e) {
      // The exception's own text repeats the URI and with it the password.
      return new Unfit<>(EXPECTED, "special characters in the password are percent-encoded");
    }
    boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
    if (!known || uri.getHost() == null) {
      return new Unfit<>(EXPECTED, "correct scheme and host");
    }
    if (uri.getUserInfo() == null) {
      return new Unfit<>(EXPECTED, "the user is missing");
    }
    if (uri.getPath() == null || uri.getPath().length() < 2) {
      return new Unfit<>(EXPECTED, "the database is missing");
    }
    return new Taken<>(new PostgresUri(value));
  }

  /** Host and port, for messages. */
  public String address() {
    URI uri = URI.create(value);
    return uri.getHost() + ':' + (uri.getPort() < 0 ? 5432 : uri.getPort());
  }

  /** Whether it holds what must not stand in a file, with the user or among the parameters. */
  boolean hasPassword() {
    URI uri = URI.create(value);
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    return uri.getUserInfo().indexOf(':') >= 0 || query.contains("password=");
  }

  /** Without the password and the parameters, which may hold one as well. */
  @Override
  public String toString() {
    URI uri = URI.create(value);
    String user = uri.getUserInfo().replaceFirst(":.*", "");
    return "postgresql://" + user + ":***@" + address() + uri.getPath();
  }
}

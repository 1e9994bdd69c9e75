package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * {@code postgresql://user:password@host:5432/database?sslmode=require}, as libpq writes it.
 *
 * @param value holds the password: only {@link #toString()} may be shown
 */
public record PostgresUri(String value) {
  /** Takes a URI that names a host, a user and a database, or says what is wrong with it. */
  public static PostgresUri parse(String setting, String value) {
    String expected = setting + " must look like postgresql://USER:PASSWORD@HOST:PORT/DATABASE";
    URI uri;
    try {
      uri = new URI(value);
    } catch (URISyntaxException e) {
      // The exception's own text repeats the URI and with it the password.
      throw StartFailure.invalid(
          expected + "; special characters in the password are percent-encoded");
    }
    boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
    if (!known || uri.getHost() == null) {
      throw StartFailure.invalid(expected);
    }
    if (uri.getUserInfo() == null) {
      throw StartFailure.invalid(expected + "; the user is missing");
    }
    if (uri.getPath() == null || uri.getPath().length() < 2) {
      throw StartFailure.invalid(expected + "; the database is missing");
    }
    return new PostgresUri(value);
  }

  /** Host and port, for messages. */
  public String address() {
    URI uri = URI.create(value);
    return uri.getHost() + ':' + (uri.getPort() < 0 ? 5432 : uri.getPort());
  }

  /** Without the password and the parameters, which may hold one as well. */
  @Override
  public String toString() {
    URI uri = URI.create(value);
    String user = uri.getUserInfo().replaceFirst(":.*", "");
    return "postgresql://" + user + ":***@" + address() + uri.getPath();
  }
}

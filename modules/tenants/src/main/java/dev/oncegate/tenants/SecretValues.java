package dev.oncegate.tenants;

import dev.oncegate.core.Bytes;
import dev.oncegate.engine.port.Secrets;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.OpenOptions;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Values behind references: those of the file that is served, and of archived policies, which may
 * name secrets that today's file does not name any more. The latter are read anew each time.
 */
public final class SecretValues implements Secrets {
  private final Vertx vertx;
  private final Supplier<KeptSecrets> served;
  private final SecretResolver resolver;

  /**
   * Values behind references.
   *
   * @param served those of the file that is served now
   * @param resolver asked for variables only: it may block where files are concerned
   */
  public SecretValues(Vertx vertx, Supplier<KeptSecrets> served, SecretResolver resolver) {
    this.vertx = vertx;
    this.served = served;
    this.resolver = resolver;
  }

  @Override
  public Future<String> value(String reference) {
    Optional<Bytes> known = served.get().bytes(reference);
    if (known.isPresent()) {
      return Future.succeededFuture(text(known.get()));
    }
    return SecretResolver.path(reference)
        .map(this::read)
        .orElseGet(() -> variable(reference).map(Future::succeededFuture).orElseGet(this::unknown))
        .map(SecretValues::text);
  }

  /**
   * The key of a derivation exactly as it is kept; at once, so it is empty where an archived policy
   * names a file that today's file does not, and where fewer than 32 bytes are kept.
   */
  public Optional<Bytes> derivation(String reference) {
    return served
        .get()
        .bytes(reference)
        .or(() -> variable(reference))
        .filter(key -> SecretKind.DERIVATION.fits(new SecretResolver.Found(key, "")));
  }

  private Optional<Bytes> variable(String reference) {
    return reference.startsWith(SecretResolver.ENV)
            && resolver.resolve(reference) instanceof SecretResolver.Found found
        ? Optional.of(found.bytes())
        : Optional.empty();
  }

  private Future<Bytes> unknown() {
    return Future.failedFuture("a secret that an archived policy names is not there any more");
  }

  /** One byte more than a secret may have, so that a larger file shows as such. */
  private Future<Bytes> read(String path) {
    return vertx
        .fileSystem()
        .open(path, new OpenOptions().setRead(true).setWrite(false).setCreate(false))
        .compose(
            file ->
                file.read(Buffer.buffer(), 0, 0, SystemSecrets.LARGEST + 1).eventually(file::close))
        .map(read -> Bytes.wrap(read.getBytes()))
        .recover(fault -> unknown())
        .compose(
            read ->
                read.length() == 0 || read.length() > SystemSecrets.LARGEST
                    ? unknown()
                    : Future.succeededFuture(read));
  }

  private static String text(Bytes secret) {
    return new SecretResolver.Found(secret, "").secret();
  }
}

package dev.oncegate.engine.port;

import io.vertx.core.Future;

/** Values behind references such as {@code ${env:NAME}} and {@code ${file:/path}}. */
@FunctionalInterface
public interface Secrets {
  /** The value; fails where it cannot be read. It is never logged. */
  Future<String> value(String reference);
}

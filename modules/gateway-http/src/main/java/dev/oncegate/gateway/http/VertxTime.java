package dev.oncegate.gateway.http;

import dev.oncegate.engine.port.Time;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;

/** Real time on Vert.x timers: they fire on the context that set them. */
public final class VertxTime implements Time {
  private final Vertx vertx;
  private final SecureRandom random = new SecureRandom();

  public VertxTime(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    // Vert.x refuses timers below 1 ms; rounding up keeps "at least".
    long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
    long id = vertx.setTimer(millis, fired -> task.run());
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Override
  public UUID randomId() {
    return UUID.randomUUID();
  }
}

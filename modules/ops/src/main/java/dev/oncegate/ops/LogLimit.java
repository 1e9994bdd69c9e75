package dev.oncegate.ops;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** At most one line a second for each subject; the next line says how many were left out. */
final class LogLimit {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;
  private final Map<String, Subject> subjects = new ConcurrentHashMap<>();

  LogLimit(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private record Subject(AtomicLong next, AtomicLong suppressed) {}

  /**
   * Calls {@code line} with the number of lines left out, or leaves this one out.
   *
   * @param subject one of a few fixed names: they are kept for ever
   */
  void pass(String subject, LongConsumer line) {
    long now = nanos.getAsLong();
    Subject known =
        subjects.computeIfAbsent(
            subject, name -> new Subject(new AtomicLong(now), new AtomicLong()));
    long next = known.next().get();
    // The loser of this race is suppressed, as it would have been a moment later.
    if (now - next >= 0 && known.next().compareAndSet(next, now + PAUSE_NANOS)) {
      line.accept(known.suppressed().getAndSet(0));
    } else {
      known.suppressed().incrementAndGet();
    }
  }
}

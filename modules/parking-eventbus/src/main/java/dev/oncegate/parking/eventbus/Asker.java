package dev.oncegate.parking.eventbus;

import dev.oncegate.parking.eventbus.BusCodec.Signed;
import dev.oncegate.parking.eventbus.BusMessage.Check;
import dev.oncegate.parking.eventbus.BusMessage.Ping;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.RemoteOwners.NoAnswer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks over the bus: from any thread, answered on the bus's own. */
final class Asker {
  /** Questions under way, each some hundred bytes; beyond it there is no answer, at once. */
  private static final int MOST = 65_536;

  private final Context context;
  private final EventBus bus;
  private final BusCodec codec;
  private final Refused refused;
  private final AtomicInteger asked = new AtomicInteger();

  Asker(Context context, BusCodec codec, Refused refused) {
    this.context = context;
    this.bus = context.owner().eventBus();
    this.codec = codec;
    this.refused = refused;
  }

  /** The reply, signed for this question; fails by the limit. */
  Future<Reply> ask(String address, Question question, Duration limit) {
    if (address.length() > BusCodec.LONGEST_ADDRESS) {
      return Future.failedFuture(new NoAnswer("no address of ours"));
    }
    // Whether the bus is well must be found out while many wait, too; of these there are few.
    boolean counts = !(question instanceof Check || question instanceof Ping);
    if (counts && asked.incrementAndGet() > MOST) {
      asked.decrementAndGet();
      return Future.failedFuture(new NoAnswer("too many questions"));
    }
    Promise<Reply> reply = Promise.promise();
    try {
      context.runOnContext(turn -> send(address, question, limit).onComplete(reply));
    } catch (RuntimeException e) {
      reply.tryFail(new NoAnswer("the bus has been closed"));
    }
    return counts ? reply.future().onComplete(done -> asked.decrementAndGet()) : reply.future();
  }

  private Future<Reply> send(String address, Question question, Duration limit) {
    Signed<Buffer> signed = codec.question(address, question);
    return bus.request(
            address,
            signed.message(),
            new DeliveryOptions().setSendTimeout(EventBusWaiterBus.millis(limit)))
        .recover(failed -> Future.failedFuture(new NoAnswer(String.valueOf(failed.getMessage()))))
        .compose(message -> opened(signed, message));
  }

  private Future<Reply> opened(Signed<Buffer> question, Message<Object> message) {
    return codec
        .reply(question.tag(), Bodies.of(message))
        .map(Future::succeededFuture)
        .orElseGet(
            () -> {
              refused.add();
              return Future.failedFuture(new NoAnswer("a reply that is none of ours"));
            });
  }
}

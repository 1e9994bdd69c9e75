package dev.oncegate.parking.eventbus;

import dev.oncegate.core.Bytes;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.LocalOwners.Owner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of this process on the bus: one per owner, one for checks. Belongs to the bus's own
 * loop.
 */
final class Listening {
  private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

  private final Context context;
  private final EventBus bus;
  private final BusCodec codec;
  private final Refused refused;
  private final Map<String, Listener> listeners = new HashMap<>();

  Listening(Context context, BusCodec codec, Refused refused) {
    this.context = context;
    this.bus = context.owner().eventBus();
    this.codec = codec;
    this.refused = refused;
  }

  /** Who answers at an address, and for whom. */
  private static final class Listener {
    private final Function<Question, @Nullable Future<Reply>> answers;
    private final @Nullable Owner owner;
    private MessageConsumer<Object> consumer;
    private boolean renewing;

    Listener(
        Function<Question, @Nullable Future<Reply>> answers,
        @Nullable Owner owner,
        MessageConsumer<Object> consumer) {
      this.answers = answers;
      this.owner = owner;
      this.consumer = consumer;
    }
  }

  /**
   * Makes the owners' addresses those of the process as they are now; completes once they are
   * registered.
   */
  Future<?> fit(LocalOwners local) {
    Set<String> gone = new HashSet<>();
    listeners.forEach(
        (address, listener) -> {
          if (listener.owner != null && !local.find(address).equals(Optional.of(listener.owner))) {
            gone.add(address);
          }
        });
    gone.forEach(address -> stop(address));
    for (String address : local.addresses()) {
      local
          .find(address)
          .filter(owner -> !listeners.containsKey(address))
          .ifPresent(owner -> listen(address, new Coordinator(owner)::asked, owner));
    }
    return Future.join(listeners.values().stream().map(l -> l.consumer.completion()).toList());
  }

  /** Listens at an address that is no owner's. */
  void listen(String address, Function<Question, @Nullable Future<Reply>> answers) {
    listen(address, answers, null);
  }

  /** Every address as of now. */
  List<String> addresses() {
    return List.copyOf(listeners.keySet());
  }

  /**
   * Registers an address again that others do not find: the new registration first, so that nobody
   * misses the old one meanwhile.
   */
  void renew(String address) {
    Listener listener = listeners.get(address);
    if (listener == null || listener.renewing) {
      return;
    }
    listener.renewing = true;
    MessageConsumer<Object> after = consume(address, listener.answers);
    after.completion().onComplete(done -> renewed(address, listener, after, done.succeeded()));
  }

  private void renewed(
      String address, Listener listener, MessageConsumer<Object> after, boolean registered) {
    listener.renewing = false;
    MessageConsumer<Object> superfluous = after;
    // An address that was given up meanwhile stays so; one that failed is tried at the next check.
    if (registered && listeners.get(address) == listener) {
      superfluous = listener.consumer;
      listener.consumer = after;
    }
    superfluous.unregister().onFailure(e -> LOG.debug("a registration stays", e));
  }

  private void listen(
      String address, Function<Question, @Nullable Future<Reply>> answers, @Nullable Owner owner) {
    MessageConsumer<Object> consumer = consume(address, answers);
    consumer.completion().onFailure(e -> LOG.debug("an address was not registered", e));
    listeners.put(address, new Listener(answers, owner, consumer));
  }

  private void stop(String address) {
    Listener listener = listeners.remove(address);
    if (listener != null) {
      listener.consumer.unregister().onFailure(e -> LOG.debug("a registration stays", e));
    }
  }

  private MessageConsumer<Object> consume(
      String address, Function<Question, @Nullable Future<Reply>> answers) {
    return bus.consumer(address, message -> came(address, answers, message));
  }

  private void came(
      String address,
      Function<Question, @Nullable Future<Reply>> answers,
      Message<Object> message) {
    codec
        .question(address, Bodies.of(message))
        .ifPresentOrElse(
            question -> reply(message, question.tag(), answers.apply(question.message())),
            refused::add);
  }

  private void reply(Message<Object> message, Bytes question, @Nullable Future<Reply> reply) {
    if (reply != null) {
      reply.onSuccess(its -> send(message, question, its));
    }
  }

  private void send(Message<Object> message, Bytes question, Reply reply) {
    try {
      context.runOnContext(turn -> message.reply(codec.reply(question, reply)));
    } catch (RuntimeException e) {
      // The bus has been closed meanwhile: whoever asked finds out by its own time.
      LOG.debug("a reply was not sent", e);
    }
  }
}

package dev.oncegate.parking.eventbus;

import dev.oncegate.core.Bytes;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.WireReader.Malformed;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The wire form of a message: version, kind, its parts, and a signature (HMAC-SHA-256) over all of
 * that and over what it belongs to. A question belongs to the address that it goes to, and carries
 * a number of its own; a reply belongs to its question's signature. So no question serves at
 * another address, and no reply for another question, not even for the same one asked again.
 *
 * <p>Numbers are big-endian. Bytes that are not in this form, or not signed, are none of ours: they
 * read as empty, and are never an error.
 */
final class BusCodec {
  /** The longest address that is written or read, in characters. */
  static final int LONGEST_ADDRESS = 255;

  /** The most addresses in one message: event loops of one process, and then some. */
  static final int MOST_ADDRESSES = 512;

  /** The most waiters that one loop asks for. */
  static final int MOST_SEATS = 10_000_000;

  /** No message of ours is longer; what is, is not looked at. */
  static final int LONGEST = 256 + MOST_ADDRESSES * (LONGEST_ADDRESS + 1);

  private static final int VERSION = 1;

  private final BusKeys keys;

  /** Starts anywhere, so that a restarted node does not repeat its numbers. */
  private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong());

  BusCodec(BusKeys keys) {
    this.keys = keys;
  }

  /**
   * A message as it is sent, or as it came.
   *
   * @param tag its signature, to which replies belong
   */
  record Signed<M>(M message, Bytes tag) {}

  /** A question to an address, signed. */
  Signed<Buffer> question(String to, Question question) {
    WireWriter writer = new WireWriter().octet(VERSION);
    WireForm.write(writer, question);
    return signed(writer.any(numbers.incrementAndGet()).bytes(), addressOf(to));
  }

  /** The question in a message that came to an address. */
  Optional<Signed<Question>> question(String at, @Nullable Object body) {
    return opened(body, addressOf(at))
        .flatMap(
            open ->
                parsed(open.message(), WireForm::readQuestion)
                    .map(question -> new Signed<>(question, open.tag())));
  }

  /** A reply to the question with that signature. */
  Buffer reply(Bytes question, Reply reply) {
    WireWriter writer = new WireWriter().octet(VERSION);
    WireForm.write(writer, reply);
    return signed(writer.bytes(), question.array()).message();
  }

  /** The reply in a message that came for the question with that signature. */
  Optional<Reply> reply(Bytes question, @Nullable Object body) {
    return opened(body, question.array())
        .flatMap(open -> parsed(open.message(), WireForm::readReply));
  }

  private Signed<Buffer> signed(byte[] message, byte[] belongsTo) {
    Bytes tag = keys.sign(with(message, belongsTo));
    return new Signed<>(Buffer.buffer(message).appendBytes(tag.array()), tag);
  }

  private Optional<Signed<byte[]>> opened(@Nullable Object body, byte[] belongsTo) {
    if (!(body instanceof Buffer buffer)
        || buffer.length() <= BusKeys.TAG
        || buffer.length() > LONGEST) {
      return Optional.empty();
    }
    byte[] message = buffer.getBytes(0, buffer.length() - BusKeys.TAG);
    byte[] tag = buffer.getBytes(buffer.length() - BusKeys.TAG, buffer.length());
    return keys.signed(with(message, belongsTo), tag)
        ? Optional.of(new Signed<>(message, Bytes.wrap(tag)))
        : Optional.empty();
  }

  /** What is signed: the length in front keeps a byte from moving from one part to the other. */
  private static byte[] with(byte[] message, byte[] belongsTo) {
    return Buffer.buffer(4 + message.length + belongsTo.length)
        .appendInt(belongsTo.length)
        .appendBytes(belongsTo)
        .appendBytes(message)
        .getBytes();
  }

  private static byte[] addressOf(String address) {
    return address.getBytes(StandardCharsets.UTF_8);
  }

  private interface Form<M> {
    M read(int kind, WireReader reader) throws Malformed;
  }

  private static <M> Optional<M> parsed(byte[] message, Form<M> form) {
    WireReader reader = new WireReader(message);
    try {
      if (reader.octet() != VERSION) {
        return Optional.empty();
      }
      M read = form.read(reader.octet(), reader);
      reader.end();
      return Optional.of(read);
    } catch (Malformed e) {
      return Optional.empty();
    }
  }
}

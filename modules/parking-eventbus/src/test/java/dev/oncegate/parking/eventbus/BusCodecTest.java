package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.KeyRing.Secret;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.BusCodec.Signed;
import dev.oncegate.parking.eventbus.BusMessage.Attach;
import dev.oncegate.parking.eventbus.BusMessage.Check;
import dev.oncegate.parking.eventbus.BusMessage.Checked;
import dev.oncegate.parking.eventbus.BusMessage.HintReply;
import dev.oncegate.parking.eventbus.BusMessage.Ping;
import dev.oncegate.parking.eventbus.BusMessage.Pong;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.BusMessage.Seats;
import dev.oncegate.parking.eventbus.BusMessage.SeatsReply;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BusCodecTest {
  static final Secret SECRET = secret(1);
  private static final String OWNER = "oncegate.owner.1f2e.0";

  private final BusCodec codec = new BusCodec(new BusKeys(SECRET, List.of()));

  static Secret secret(int seed) {
    byte[] bytes = new byte[32];
    new Random(seed).nextBytes(bytes);
    return Secret.of(bytes);
  }

  @Property
  void questions_comeBack(@ForAll("questions") Question question) {
    Signed<Buffer> sent = codec.question(OWNER, question);
    assertThat(sent.message().length()).isLessThanOrEqualTo(BusCodec.LONGEST);
    assertThat(codec.question(OWNER, sent.message())).contains(new Signed<>(question, sent.tag()));
  }

  @Property
  void replies_comeBack_forTheirQuestionAlone(
      @ForAll("replies") Reply reply, @ForAll("questions") Question question) {
    Bytes mine = codec.question(OWNER, question).tag();
    Bytes sameAskedAgain = codec.question(OWNER, question).tag();
    Buffer sent = codec.reply(mine, reply);
    assertThat(codec.reply(mine, sent)).contains(reply);
    assertThat(codec.reply(sameAskedAgain, sent)).isEmpty();
    assertThat(codec.question(OWNER, sent)).as("a reply is no question").isEmpty();
  }

  @Property
  void questions_serveAtTheirAddressAlone(@ForAll("questions") Question question) {
    Buffer sent = codec.question(OWNER, question).message();
    assertThat(codec.question("oncegate.owner.1f2e.1", sent)).isEmpty();
    assertThat(codec.question(OWNER + "0", sent)).isEmpty();
    assertThat(codec.reply(Bytes.EMPTY, sent)).isEmpty();
  }

  @Property
  void oneFlippedBit_isNoneOfOurs(
      @ForAll("questions") Question question, @ForAll("replies") Reply reply, @ForAll int at) {
    Signed<Buffer> asked = codec.question(OWNER, question);
    assertThat(codec.question(OWNER, flipped(asked.message(), at))).isEmpty();
    Buffer replied = codec.reply(asked.tag(), reply);
    assertThat(codec.reply(asked.tag(), flipped(replied, at))).isEmpty();
  }

  @Property
  void cutOrExtended_isNoneOfOurs(@ForAll("questions") Question question, @ForAll int at) {
    Buffer sent = codec.question(OWNER, question).message();
    assertThat(codec.question(OWNER, sent.slice(0, Math.floorMod(at, sent.length())))).isEmpty();
    assertThat(codec.question(OWNER, sent.copy().appendByte((byte) at))).isEmpty();
    assertThat(codec.question(OWNER, Buffer.buffer(new byte[] {(byte) at}).appendBuffer(sent)))
        .isEmpty();
  }

  @Property
  void anyBytes_areNoneOfOurs(@ForAll byte[] bytes) {
    assertThat(codec.question(OWNER, Buffer.buffer(bytes))).isEmpty();
    assertThat(codec.reply(Bytes.wrap(bytes), Buffer.buffer(bytes))).isEmpty();
  }

  /** What only a holder of the secret can send, another version perhaps: it must not throw. */
  @Property(tries = 3000)
  void anyBytesUnderOurSignature_areReadOrEmpty(@ForAll byte[] bytes, @ForAll boolean ourVersion) {
    byte[] message = bytes.clone();
    if (ourVersion && message.length > 1) {
      message[0] = 1;
      message[1] = (byte) "aspcASPC".charAt(Math.floorMod(message[1], 8));
    }
    Buffer signed = signed(message, OWNER.getBytes());
    codec
        .question(OWNER, signed)
        .ifPresent(read -> assertThat(signed.getBytes(0, 1)).isEqualTo(new byte[] {1}));
    codec.reply(Bytes.wrap(OWNER.getBytes()), signed);
  }

  @Property(tries = 2000)
  void damagedMessagesUnderOurSignature_areReadOrEmpty(
      @ForAll("questions") Question question, @ForAll("replies") Reply reply, @ForAll int at) {
    Buffer sent = codec.question(OWNER, question).message();
    byte[] message = sent.getBytes(0, sent.length() - BusKeys.TAG);
    codec.question(OWNER, signed(flipped(Buffer.buffer(message), at).getBytes(), OWNER.getBytes()));
    byte[] cut = Arrays.copyOf(message, Math.floorMod(at, message.length));
    assertThat(codec.question(OWNER, signed(cut, OWNER.getBytes()))).isEmpty();

    Buffer replied = codec.reply(Bytes.wrap(OWNER.getBytes()), reply);
    byte[] its = replied.getBytes(0, replied.length() - BusKeys.TAG);
    codec.reply(
        Bytes.wrap(OWNER.getBytes()),
        signed(flipped(Buffer.buffer(its), at).getBytes(), OWNER.getBytes()));
  }

  @Example
  void otherThings_areNoneOfOurs() {
    for (Object body : new Object[] {null, "text", 5, new byte[100], Buffer.buffer()}) {
      assertThat(codec.question(OWNER, body)).isEmpty();
      assertThat(codec.reply(Bytes.EMPTY, body)).isEmpty();
    }
    byte[] long1 = new byte[BusCodec.LONGEST];
    assertThat(codec.question(OWNER, signed(long1, OWNER.getBytes()))).isEmpty();
  }

  @Example
  void messagesUnderThePreviousSecret_areTaken_underAStrangersNot() {
    BusCodec old = new BusCodec(new BusKeys(secret(2), List.of()));
    BusCodec changed = new BusCodec(new BusKeys(SECRET, List.of(secret(2))));
    BusCodec stranger = new BusCodec(new BusKeys(secret(3), List.of()));

    assertThat(changed.question(OWNER, old.question(OWNER, new Ping()).message())).isPresent();
    assertThat(changed.question(OWNER, codec.question(OWNER, new Ping()).message())).isPresent();
    assertThat(codec.question(OWNER, changed.question(OWNER, new Ping()).message()))
        .as("signed under the current one")
        .isPresent();
    assertThat(changed.question(OWNER, stranger.question(OWNER, new Ping()).message())).isEmpty();
    assertThat(stranger.question(OWNER, changed.question(OWNER, new Ping()).message())).isEmpty();
  }

  @Example
  void theKey_servesThisPurposeAlone() {
    byte[] message = {1, 'p', 0, 0, 0, 0, 0, 0, 0, 0};
    Buffer byTheSecretItself =
        Buffer.buffer(message)
            .appendBytes(Hkdf.hmac(SECRET.bytes().array(), with(message, OWNER.getBytes())));
    assertThat(codec.question(OWNER, byTheSecretItself)).isEmpty();
    assertThat(codec.question(OWNER, signed(message, OWNER.getBytes()))).isPresent();
  }

  @Example
  void timesBeyondTheForm_areAsLongAsCanBe() {
    Waiting ages = new Waiting(id(1), new FencingToken(1), "w", Duration.ofDays(1000));
    Buffer sent = codec.question(OWNER, new Attach(ages)).message();
    Attach read = (Attach) codec.question(OWNER, sent).orElseThrow().message();
    assertThat(read.waiting().timeLeft()).isBetween(Duration.ofDays(24), Duration.ofDays(25));
  }

  private static Buffer flipped(Buffer buffer, int at) {
    Buffer copy = buffer.copy();
    int bit = Math.floorMod(at, copy.length() * 8);
    return copy.setByte(bit / 8, (byte) (copy.getByte(bit / 8) ^ (1 << (bit % 8))));
  }

  private static Buffer signed(byte[] message, byte[] belongsTo) {
    byte[] key = Hkdf.derive(SECRET.bytes().array(), "", "oncegate event bus");
    return Buffer.buffer(message).appendBytes(Hkdf.hmac(key, with(message, belongsTo)));
  }

  private static byte[] with(byte[] message, byte[] belongsTo) {
    return ByteBuffer.allocate(4 + belongsTo.length + message.length)
        .putInt(belongsTo.length)
        .put(belongsTo)
        .put(message)
        .array();
  }

  private static RecordId id(int seed) {
    byte[] digest = new byte[RecordId.LENGTH];
    new Random(seed).nextBytes(digest);
    return new RecordId(Bytes.wrap(digest));
  }

  @Provide
  Arbitrary<Question> questions() {
    Arbitrary<Waiting> waitings =
        Combinators.combine(ids(), tokens(), addresses(), millis()).as(Waiting::new);
    return Arbitraries.oneOf(
        waitings.map(Attach::new),
        Combinators.combine(waitings, Arbitraries.integers().between(0, BusCodec.MOST_SEATS))
            .as(Seats::new),
        Arbitraries.just(new Ping()),
        addresses().list().ofMaxSize(BusCodec.MOST_ADDRESSES).map(Check::new));
  }

  @Provide
  Arbitrary<Reply> replies() {
    Arbitrary<Hint> hints =
        Arbitraries.oneOf(
            Arbitraries.just(new Hint.Settled()),
            Arbitraries.just(new Hint.LookAgain()),
            Combinators.combine(
                    Arbitraries.integers().between(100, 599),
                    millis().optional().map(given -> (Optional<Duration>) given))
                .as(Hint.Released::new));
    return Arbitraries.oneOf(
        Combinators.combine(ids(), tokens(), hints).as(HintReply::new),
        Combinators.combine(ids(), tokens(), Arbitraries.integers().between(0, BusCodec.MOST_SEATS))
            .as(SeatsReply::new),
        Arbitraries.just(new Pong()),
        addresses().list().ofMaxSize(BusCodec.MOST_ADDRESSES).map(Checked::new));
  }

  private static Arbitrary<RecordId> ids() {
    return Arbitraries.integers().map(BusCodecTest::id);
  }

  private static Arbitrary<FencingToken> tokens() {
    return Arbitraries.longs().between(1, Long.MAX_VALUE).map(FencingToken::new);
  }

  private static Arbitrary<String> addresses() {
    return Arbitraries.strings()
        .withCharRange('!', '~')
        .ofMinLength(0)
        .ofMaxLength(BusCodec.LONGEST_ADDRESS);
  }

  private static Arbitrary<Duration> millis() {
    return Arbitraries.integers().between(0, 2_000_000_000).map(Duration::ofMillis);
  }
}

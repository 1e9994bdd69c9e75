package dev.oncegate.parking.eventbus;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
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
import dev.oncegate.parking.eventbus.WireReader.Malformed;
import java.util.Optional;

/** Kinds and parts of the messages: small letters ask, capital letters reply. */
final class WireForm {
  private static final int LEAST_STATUS = 100;

  /** An upstream may answer what no HTTP says; to waiters it is the worst that HTTP knows. */
  private static final int LARGEST_STATUS = 599;

  private WireForm() {}

  static void write(WireWriter writer, BusMessage message) {
    if (message instanceof Attach attach) {
      waiting(writer.octet('a'), attach.waiting());
    } else if (message instanceof Seats seats) {
      waiting(writer.octet('s'), seats.waiting()).number(seats.wanted());
    } else if (message instanceof Ping) {
      writer.octet('p');
    } else if (message instanceof Check check) {
      writer.octet('c').addresses(check.addresses());
    } else if (message instanceof HintReply reply) {
      hint(writer.octet('A').id(reply.id()).token(reply.token()), reply.hint());
    } else if (message instanceof SeatsReply reply) {
      writer.octet('S').id(reply.id()).token(reply.token()).number(reply.granted());
    } else if (message instanceof Pong) {
      writer.octet('P');
    } else if (message instanceof Checked reply) {
      writer.octet('C').addresses(reply.lost());
    } else {
      throw new BrokenInvariant("a message without a form");
    }
  }

  private static WireWriter waiting(WireWriter writer, Waiting waiting) {
    return writer
        .id(waiting.id())
        .token(waiting.token())
        .address(waiting.loop())
        .millis(waiting.timeLeft());
  }

  private static void hint(WireWriter writer, Hint hint) {
    if (hint instanceof Hint.Settled) {
      writer.octet('s');
    } else if (hint instanceof Hint.Released released) {
      writer
          .octet('r')
          .number(Math.max(LEAST_STATUS, Math.min(released.status(), LARGEST_STATUS)))
          .octet(released.retryAfter().isPresent() ? 1 : 0);
      released.retryAfter().ifPresent(writer::millis);
    } else {
      writer.octet('l');
    }
  }

  static Question readQuestion(int kind, WireReader reader) throws Malformed {
    Question question =
        switch (kind) {
          case 'a' -> new Attach(readWaiting(reader));
          case 's' -> new Seats(readWaiting(reader), reader.number(0, BusCodec.MOST_SEATS));
          case 'p' -> new Ping();
          case 'c' -> new Check(reader.addresses(BusCodec.MOST_ADDRESSES));
          default -> throw new Malformed("no question of ours");
        };
    reader.any();
    return question;
  }

  static Reply readReply(int kind, WireReader reader) throws Malformed {
    return switch (kind) {
      case 'A' -> new HintReply(reader.id(), reader.token(), readHint(reader));
      case 'S' ->
          new SeatsReply(reader.id(), reader.token(), reader.number(0, BusCodec.MOST_SEATS));
      case 'P' -> new Pong();
      case 'C' -> new Checked(reader.addresses(BusCodec.MOST_ADDRESSES));
      default -> throw new Malformed("no reply of ours");
    };
  }

  private static Waiting readWaiting(WireReader reader) throws Malformed {
    RecordId id = reader.id();
    FencingToken token = reader.token();
    return new Waiting(id, token, reader.address(), reader.millis());
  }

  private static Hint readHint(WireReader reader) throws Malformed {
    return switch (reader.octet()) {
      case 's' -> new Hint.Settled();
      case 'r' ->
          new Hint.Released(
              reader.number(LEAST_STATUS, LARGEST_STATUS),
              reader.octet() == 1 ? Optional.of(reader.millis()) : Optional.empty());
      case 'l' -> new Hint.LookAgain();
      default -> throw new Malformed("no hint of ours");
    };
  }
}

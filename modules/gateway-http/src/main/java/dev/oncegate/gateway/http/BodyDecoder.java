package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes bodies under a cap: a request's for its fingerprint only, since it is forwarded as it
 * came, and a stored answer's for a client that does not take its coding. A body that does not
 * decode is no error of ours: its raw bytes are taken.
 */
final class BodyDecoder {
  private BodyDecoder() {}

  /** A decoded body. */
  sealed interface Decoded {
    /** The decoded bytes, or the raw ones where there is no coding or none that we read. */
    record Plain(Bytes bytes) implements Decoded {}

    /** Decodes to more than the cap. */
    record TooLarge() implements Decoded {}
  }

  /** Whether a body has a coding that is read here. */
  static boolean isCoded(List<String> contentEncodings) {
    return !codings(contentEncodings).isEmpty();
  }

  /**
   * Decodes a body.
   *
   * @param contentEncodings the lines of Content-Encoding
   * @param cap bytes that the decoded body may have
   */
  static Decoded decode(Bytes body, List<String> contentEncodings, long cap) {
    Decoded decoded = strictly(body, contentEncodings, cap);
    return decoded == null ? new Decoded.Plain(body) : decoded;
  }

  /** As {@link #decode}, but null where there is no single coding that is read and fits. */
  static @Nullable Decoded strictly(Bytes body, List<String> contentEncodings, long cap) {
    List<String> codings = codings(contentEncodings);
    if (codings.size() != 1 || body.length() == 0) {
      return null;
    }
    try (InputStream in = open(codings.get(0), body)) {
      return in == null ? null : readUpTo(in, cap);
    } catch (IOException notInThatCoding) {
      return null;
    }
  }

  /** The codings of a body in the order in which they were applied, without {@code identity}. */
  static List<String> codings(List<String> lines) {
    return lines.stream()
        .flatMap(line -> List.of(line.split(",", -1)).stream())
        .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
        .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
        .toList();
  }

  private static @Nullable InputStream open(String coding, Bytes body) throws IOException {
    ByteArrayInputStream raw = new ByteArrayInputStream(body.array());
    return switch (coding) {
      case "gzip", "x-gzip" -> new GZIPInputStream(raw);
      // RFC 9110 §8.4.1.2 means zlib, many senders mean bare deflate: the first byte tells.
      case "deflate" -> new InflaterInputStream(raw, new Inflater((body.array()[0] & 0x0F) != 8));
      default -> null;
    };
  }

  private static Decoded readUpTo(InputStream in, long cap) throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    for (int n = in.read(part); n >= 0; n = in.read(part)) {
      if (plain.size() + (long) n > cap) {
        return new Decoded.TooLarge();
      }
      plain.write(part, 0, n);
    }
    return new Decoded.Plain(Bytes.wrap(plain.toByteArray()));
  }
}

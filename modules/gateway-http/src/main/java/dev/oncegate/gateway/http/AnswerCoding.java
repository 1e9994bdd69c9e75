package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The coding of an answer's body. It is kept as the upstream chose it for the winner; a later
 * client that does not take it gets the body decoded (contract §10).
 */
final class AnswerCoding {
  /** A body that decodes to more is sent as it is stored: no request may cost more memory. */
  static final int MAX_DECODED = 16 * 1024 * 1024;

  /** No deflated byte stands for more than this many. */
  private static final int MAX_RATIO = 1032;

  /** What says something about the coded bytes, or offers parts of them. */
  private static final Set<String> OF_CODED_BYTES =
      Set.of(
          "content-encoding",
          "content-md5",
          "digest",
          "content-digest",
          "repr-digest",
          "accept-ranges");

  private AnswerCoding() {}

  /** Headers and body of an answer. */
  record Coded(List<HeaderField> headers, Bytes body) {
    /** How many bytes decoding may have to go through. */
    long mostDecoded() {
      return Math.min(MAX_DECODED, (long) body.length() * MAX_RATIO);
    }
  }

  /**
   * Whether a client asked for no coding, or others, than an answer has. Not where the upstream
   * forbids to transform it (RFC 9110 §7.7), nor for a part of a body.
   *
   * @param accepted the lines of the client's Accept-Encoding
   */
  static boolean isUnwanted(List<String> accepted, int code, Coded answer) {
    List<String> codings = BodyDecoder.codings(values(answer.headers(), "Content-Encoding"));
    if (codings.isEmpty() || answer.body().length() == 0 || code == 206) {
      return false;
    }
    AcceptEncoding accept = AcceptEncoding.parse(accepted);
    return !codings.stream().allMatch(accept::takes)
        && accept.takesIdentity()
        && values(answer.headers(), "Cache-Control").stream()
            .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("no-transform"));
  }

  /** The answer decoded; as it was where its coding is not read here, or its body is too large. */
  static Coded decoded(Coded answer) {
    BodyDecoder.Decoded decoded =
        BodyDecoder.decode(
            answer.body(), values(answer.headers(), "Content-Encoding"), MAX_DECODED);
    if (!(decoded instanceof BodyDecoder.Decoded.Plain plain) || plain.bytes() == answer.body()) {
      return answer;
    }
    List<HeaderField> headers = new ArrayList<>();
    for (HeaderField header : answer.headers()) {
      if (header.is("ETag")) {
        headers.add(new HeaderField(header.name(), weak(header.value())));
      } else if (!OF_CODED_BYTES.contains(header.name().toLowerCase(Locale.ROOT))) {
        headers.add(header);
      }
    }
    headers.add(new HeaderField("Vary", "Accept-Encoding"));
    return new Coded(headers, plain.bytes());
  }

  /** A strong tag names exact bytes (RFC 9110 §8.8.3.3), and these are others. */
  private static String weak(String tag) {
    return tag.startsWith("W/") ? tag : "W/" + tag;
  }

  private static List<String> values(List<HeaderField> headers, String name) {
    return headers.stream().filter(h -> h.is(name)).map(HeaderField::value).toList();
  }
}

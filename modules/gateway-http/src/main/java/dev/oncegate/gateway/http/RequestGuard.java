package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.PathTemplate;
import dev.oncegate.engine.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP parser lets through and no room behind may see (libraries 3.1): more or less than
 * one valid Host, targets that say something else than Host, dot segments, encoded slashes, doubled
 * framing, expectations that nobody can meet. Refused before the tenant is known.
 */
final class RequestGuard {
  /** RFC 9112 §3.2, RFC 3986 §3.2.2: a name, an IPv4 address or a bracketed literal, and a port. */
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?<host>[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]+])(?::(?<port>[0-9]{0,5}))?");

  private static final Pattern ABSOLUTE =
      Pattern.compile("(?<scheme>[Hh][Tt][Tt][Pp][Ss]?)://(?<authority>[^/?#]*)(?<rest>.*)");

  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  /** RFC 9110 §5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private static final Set<String> CONNECTIONS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private RequestGuard() {}

  /**
   * A request head as the parser gave it.
   *
   * @param http2 whether {@code authority} stands in a pseudo-header instead of Host
   */
  record Raw(
      boolean http2,
      boolean http10,
      @Nullable String authority,
      String method,
      String target,
      List<HeaderField> headers) {}

  static Checked<RequestHead> check(Raw raw) {
    Checked<String> host = host(raw);
    return host.then(h -> framing(raw).then(ok -> target(raw, h)));
  }

  private static Checked<String> host(Raw raw) {
    List<String> lines = values(raw, "Host");
    String host = lines.size() == 1 ? lines.get(0) : null;
    if (raw.http2() && raw.authority() != null) {
      if (lines.size() > 1 || (host != null && !host.equalsIgnoreCase(raw.authority()))) {
        return hostInvalid("Host and :authority disagree.");
      }
      host = raw.authority();
    }
    if (host == null) {
      return hostInvalid("Exactly one Host header is needed; found " + lines.size() + ".");
    }
    Matcher matcher = AUTHORITY.matcher(host);
    if (!matcher.matches() || !isPort(matcher.group("port"))) {
      return hostInvalid("The Host header is not a host name or address with an optional port.");
    }
    return Checked.passed(host);
  }

  private static Checked<Boolean> framing(Raw raw) {
    if (raw.http2() && raw.headers().stream().anyMatch(RequestGuard::belongsToAConnection)) {
      return malformed("A header that belongs to one connection does not exist in HTTP/2.");
    }
    if (raw.headers().stream().anyMatch(h -> !TOKEN.matcher(h.name()).matches())) {
      return malformed("A header line has no name, or one that is none.");
    }
    List<String> codings = values(raw, "Transfer-Encoding");
    boolean length = !values(raw, "Content-Length").isEmpty();
    if (!codings.isEmpty()
        && (length || raw.http10() || codings.size() > 1 || !isChunked(codings.get(0)))) {
      return malformed("The length of the body is not said in exactly one valid way.");
    }
    boolean foreign =
        values(raw, "Expect").stream().anyMatch(e -> !e.equalsIgnoreCase("100-continue"));
    // RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
    if (foreign && !raw.http10()) {
      return Checked.refused(
          Problem.Type.EXPECTATION_FAILED, "The only expectation that is met is 100-continue.");
    }
    return Checked.passed(true);
  }

  /** RFC 9113 §8.2.2. */
  private static boolean belongsToAConnection(HeaderField header) {
    return CONNECTIONS.contains(header.name().toLowerCase(Locale.ROOT))
        || header.is("TE") && !header.value().strip().equalsIgnoreCase("trailers");
  }

  private static boolean isChunked(String coding) {
    return coding.equalsIgnoreCase("chunked");
  }

  private static Checked<RequestHead> target(Raw raw, String host) {
    String target = raw.target();
    Matcher absolute = ABSOLUTE.matcher(target);
    if (absolute.matches()) {
      String scheme = absolute.group("scheme").toLowerCase(Locale.ROOT);
      String authority = absolute.group("authority");
      if (!withoutDefaultPort(authority, scheme).equals(withoutDefaultPort(host, scheme))) {
        return hostInvalid("The request target and the Host header name different hosts.");
      }
      String rest = absolute.group("rest");
      target = rest.startsWith("/") ? rest : "/" + rest;
    }
    if (!target.startsWith("/")) {
      return malformed("The request target is neither a path nor an absolute URI.");
    }
    // Bytes outside ASCII would be written in another encoding than they came in.
    if (target.chars().anyMatch(c -> c <= 0x20 || c >= 0x7F || c == '#' || c == '\\')) {
      return malformed("The request target holds a character that must be percent-encoded.");
    }
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    if (isTreacherous(path)) {
      return malformed(
          "The path holds a dot segment, an encoded slash or backslash, or a stray percent sign.");
    }
    return Checked.passed(
        new RequestHead(
            raw.method(),
            withoutPort(host),
            path,
            question < 0 ? null : target.substring(question + 1),
            raw.headers()));
  }

  /**
   * Whether two readers of a path could see two resources in it, and a route be escaped. A
   * backslash counts because some upstreams read it as a slash.
   */
  private static boolean isTreacherous(String path) {
    String normalised = PathTemplate.normalise(path);
    if (BAD_ESCAPE.matcher(path).find()
        || normalised.contains("%2F")
        || normalised.contains("%5C")
        || normalised.contains("%00")) {
      return true;
    }
    for (String segment : normalised.split("/", -1)) {
      // A path parameter behind a dot segment (RFC 3986 §3.3) hides it from none but the naive.
      String name = segment.contains(";") ? segment.substring(0, segment.indexOf(';')) : segment;
      if (name.equals(".") || name.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPort(@Nullable String port) {
    return port == null || port.isEmpty() || Integer.parseInt(port) <= 65535;
  }

  private static String withoutDefaultPort(String authority, String scheme) {
    String lower = authority.toLowerCase(Locale.ROOT);
    String usual = scheme.equals("https") ? ":443" : ":80";
    return lower.endsWith(usual) ? lower.substring(0, lower.length() - usual.length()) : lower;
  }

  private static String withoutPort(String host) {
    Matcher matcher = AUTHORITY.matcher(host);
    return (matcher.matches() ? matcher.group("host") : host).toLowerCase(Locale.ROOT);
  }

  private static List<String> values(Raw raw, String name) {
    return raw.headers().stream().filter(h -> h.is(name)).map(HeaderField::value).toList();
  }

  private static <T> Checked<T> hostInvalid(String detail) {
    return Checked.refused(Problem.Type.HOST_INVALID, detail);
  }

  private static <T> Checked<T> malformed(String detail) {
    return Checked.refused(Problem.Type.REQUEST_MALFORMED, detail);
  }
}

package dev.oncegate.gateway.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Requests on which two readers could disagree (libraries.md 3.1, fault row 63). Behind each stands
 * one more request on the same connection: where it is taken for a body, or a body for it, shows.
 */
final class FramingProbes {
  static final String LAST = "GET /last HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  private static final String LINE = "POST /charges HTTP/1.1\r\n";
  private static final String HOST = "Host: 127.0.0.1\r\n";
  private static final String KEY = "Idempotency-Key: K\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  private static final String ONE_CHUNK = "2\r\n{}\r\n0\r\n\r\n";
  private static final String TWO = "Content-Length: 2\r\n\r\n{}";

  private final List<Probe> probes = new ArrayList<>();

  private FramingProbes() {}

  /**
   * One request.
   *
   * @param slug of the problem that answers it; empty where the connection closes without one of
   *     ours; null where it is forwarded, once, with the body {}
   */
  record Probe(String name, String bytes, @org.jspecify.annotations.Nullable String slug) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Probe> all() {
    FramingProbes all = new FramingProbes();
    all.lengths();
    all.codings();
    all.chunks();
    all.lines();
    all.hosts();
    all.keys();
    all.targets();
    return List.copyOf(all.probes);
  }

  private void refused(String name, String bytes) {
    probes.add(new Probe(name, bytes, "request-malformed"));
  }

  private void refused(String name, String bytes, String slug) {
    probes.add(new Probe(name, bytes, slug));
  }

  private void forwarded(String name, String bytes) {
    probes.add(new Probe(name, bytes, null));
  }

  /** A keyed request with these lines about its body. */
  private static String body(String rest) {
    return LINE + HOST + KEY + rest;
  }

  private void lengths() {
    String hidden = "Content-Length: " + (2 + HIDDEN.length()) + "\r\n\r\n{}" + HIDDEN;
    forwarded("one length", body(TWO));
    forwarded("no body's length with a leading zero", body("Content-Length: 02\r\n\r\n{}"));
    refused("doubled length, different", body("Content-Length: 2\r\n" + hidden));
    refused("doubled length, different, other order", body("Content-Length: 99\r\n" + TWO));
    refused("list of different lengths", body("Content-Length: 2, 40\r\n\r\n{}"));
    refused("negative length", body("Content-Length: -2\r\n\r\n{}"));
    refused("length with a plus", body("Content-Length: +2\r\n\r\n{}"));
    refused("length with letters", body("Content-Length: 0x2\r\n\r\n{}"));
    refused("length with a blank inside", body("Content-Length: 2 2\r\n\r\n{}"));
    refused("empty length", body("Content-Length: \r\n\r\n{}"));
    refused("length beyond a long", body("Content-Length: 99999999999999999999\r\n\r\n{}"));
    refused("blank before the colon", body("Content-Length : 2\r\n\r\n{}"));
  }

  private void codings() {
    forwarded("chunked", body(CHUNKED + "\r\n" + ONE_CHUNK));
    forwarded("chunked in capitals", body("Transfer-Encoding: CHUNKED\r\n\r\n" + ONE_CHUNK));
    refused("length and chunked", body("Content-Length: 2\r\n" + CHUNKED + "\r\n" + ONE_CHUNK));
    refused("chunked and length", body(CHUNKED + "Content-Length: 2\r\n\r\n" + ONE_CHUNK));
    refused("xchunked", body("Transfer-Encoding: xchunked\r\n\r\n" + ONE_CHUNK));
    refused("xchunked and length", body("Transfer-Encoding: xchunked\r\n" + TWO));
    refused("identity and length", body("Transfer-Encoding: identity\r\n" + TWO));
    refused("empty coding and length", body("Transfer-Encoding: \r\n" + TWO));
    refused("doubled coding", body(CHUNKED + CHUNKED + "\r\n" + ONE_CHUNK));
    refused("chunked twice", body("Transfer-Encoding: chunked, chunked\r\n\r\n" + ONE_CHUNK));
    refused("chunked, identity", body("Transfer-Encoding: chunked, identity\r\n\r\n" + ONE_CHUNK));
    refused("gzip, chunked", body("Transfer-Encoding: gzip, chunked\r\n\r\n" + ONE_CHUNK));
    refused("chunked; a=b", body("Transfer-Encoding: chunked; a=b\r\n\r\n" + ONE_CHUNK));
    refused("vertical tab", body("Transfer-Encoding: \u000bchunked\r\n\r\n" + ONE_CHUNK));
    refused("quoted", body("Transfer-Encoding: \"chunked\"\r\n\r\n" + ONE_CHUNK));
    refused("blank before the colon of a coding", body("Transfer-Encoding : chunked\r\n" + TWO));
    refused(
        "coding in HTTP/1.0",
        "POST /charges HTTP/1.0\r\n" + HOST + KEY + CHUNKED + "\r\n" + ONE_CHUNK);
  }

  private void chunks() {
    // A chunk that cannot be read comes after the head: the connection closes without an answer.
    refused("chunk size with 0x", body(CHUNKED + "\r\n0x2\r\n{}\r\n0\r\n\r\n"), "");
    refused("negative chunk", body(CHUNKED + "\r\n-2\r\n{}\r\n0\r\n\r\n"), "");
    refused("chunk with a plus", body(CHUNKED + "\r\n+2\r\n{}\r\n0\r\n\r\n"), "");
    refused("chunk size overflow", body(CHUNKED + "\r\n100000002\r\n{}\r\n0\r\n\r\n"), "");
    refused("chunk size of 17 digits", body(CHUNKED + "\r\n10000000000000002\r\n{}\r\n0"), "");
    refused("chunk longer than said", body(CHUNKED + "\r\n2\r\n{}}}\r\n0\r\n\r\n"), "");
    refused(
        "huge extension",
        body(CHUNKED + "\r\n2;" + "a".repeat(70_000) + "\r\n{}\r\n0\r\n\r\n"),
        "");
    forwarded("chunk extension", body(CHUNKED + "\r\n2;a=b\r\n{}\r\n0\r\n\r\n"));
    forwarded("request trailers", body(CHUNKED + "\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n"));
    forwarded(
        "framing among the trailers",
        body(CHUNKED + "\r\n2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n"));
  }

  private void lines() {
    forwarded("leading CRLF", "\r\n" + body(TWO));
    refused("NUL in a name", body("X-\u0000: 1\r\n" + TWO));
    refused("NUL in a value", body("X-Bad: a\u0000b\r\n" + TWO));
    refused("SOH in a value", body("X-Bad: a\u0001b\r\n" + TWO));
    refused("bare CR in a value", body("X-Bad: a\rContent-Length: 40\r\n" + TWO));
    refused("line without a colon", body("X-Bad\r\n" + TWO));
    refused("line without a name", body(": 1\r\n" + TWO));
    refused("blank in a name", body("X Bad: 1\r\n" + TWO));
    refused("leading blank before the first header", LINE + " " + HOST + KEY + TWO);
    refused("no version", "POST /charges\r\n" + HOST + KEY + TWO);
    // The library answers 501 itself.
    refused("lower-case version", "POST /charges http/1.1\r\n" + HOST + KEY + TWO, "");
    refused("other version", "POST /charges HTTP/3.7\r\n" + HOST + KEY + TWO, "");
    forwarded("fold in another header", body("X-Fold: a\r\n b\r\n" + TWO));
  }

  private void hosts() {
    refused("no Host", LINE + KEY + TWO, "host-invalid");
    refused("two Hosts", LINE + HOST + HOST + KEY + TWO, "host-invalid");
    refused("two Hosts, other name", LINE + HOST + "Host: other\r\n" + KEY + TWO, "host-invalid");
    refused("Host with a user", LINE + "Host: a@127.0.0.1\r\n" + KEY + TWO, "host-invalid");
    refused("list of Hosts", LINE + "Host: 127.0.0.1, other\r\n" + KEY + TWO, "host-invalid");
    refused("folded Host", LINE + "Host: 127.0.0.1\r\n .other\r\n" + KEY + TWO, "host-invalid");
    refused(
        "absolute target that is not the Host's",
        "POST http://other/charges HTTP/1.1\r\n" + HOST + KEY + TWO,
        "host-invalid");
  }

  private void keys() {
    refused("two keys", body(KEY + TWO), "key-malformed");
    refused("list of keys", LINE + HOST + "Idempotency-Key: a, b\r\n" + TWO, "key-malformed");
    refused("empty key", LINE + HOST + "Idempotency-Key:\r\n" + TWO, "key-malformed");
    refused("8-bit key", LINE + HOST + "Idempotency-Key: k\u00e9\r\n" + TWO, "key-malformed");
    refused("folded key", LINE + HOST + "Idempotency-Key: a\r\n b\r\n" + TWO, "key-malformed");
    refused("fold of blanks", LINE + HOST + "Idempotency-Key: a\r\n \r\n" + TWO, "key-malformed");
  }

  private void targets() {
    refused("dots and slash", "POST //a/../b%2fc HTTP/1.1\r\n" + HOST + KEY + TWO);
    refused("encoded dots", "POST /a/%2e%2E/charges HTTP/1.1\r\n" + HOST + KEY + TWO);
    refused("fragment", "POST /charges#x HTTP/1.1\r\n" + HOST + KEY + TWO);
    refused("authority form", "CONNECT 127.0.0.1:80 HTTP/1.1\r\n" + HOST + KEY + "\r\n");
    refused("8-bit path", "POST /charges\u00e9 HTTP/1.1\r\n" + HOST + KEY + TWO);
  }
}

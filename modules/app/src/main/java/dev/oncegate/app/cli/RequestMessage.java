package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.gateway.http.RequestInspection.Message;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one HTTP/1.1 request message from a file that a person wrote or captured: lines may end in
 * LF alone, and without a length the body goes on to the end. What is ambiguous is refused.
 */
final class RequestMessage {
  private static final Pattern REQUEST_LINE =
      Pattern.compile("(?<method>[!#$%&'*+.^_`|~0-9A-Za-z-]+) (?<target>\\S+) HTTP/1\\.[01]");
  private static final Pattern HEADER =
      Pattern.compile("(?<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?<value>.*?)[ \t]*");
  private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9A-Fa-f]{1,7})([ \t]*;.*)?");

  private final byte[] bytes;
  private int at;

  private RequestMessage(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The message, or why it is none, as a {@link StartFailure} with exit code 2. */
  static Message parse(byte[] bytes) {
    RequestMessage reader = new RequestMessage(bytes);
    Matcher start = REQUEST_LINE.matcher(reader.line("the request line"));
    if (!start.matches()) {
      throw bad("line 1 is no request line, such as: POST /charges HTTP/1.1");
    }
    List<HeaderField> headers = new ArrayList<>();
    int number = 2;
    for (String line = reader.line("the headers");
        !line.isEmpty();
        line = reader.line("the headers")) {
      Matcher header = HEADER.matcher(line);
      if (!header.matches()) {
        throw bad("line " + number + " is no header, such as: Content-Type: application/json");
      }
      headers.add(new HeaderField(header.group("name"), header.group("value")));
      number++;
    }
    return new Message(
        start.group("method"), start.group("target"), headers, Bytes.wrap(reader.body(headers)));
  }

  private byte[] body(List<HeaderField> headers) {
    List<String> lengths = values(headers, "Content-Length");
    if (!values(headers, "Transfer-Encoding").isEmpty()) {
      return chunks();
    }
    if (lengths.isEmpty()) {
      return Arrays.copyOfRange(bytes, at, bytes.length);
    }
    String length = lengths.get(0);
    if (lengths.size() > 1 || !length.matches("[0-9]{1,9}")) {
      throw bad("Content-Length is not one number");
    }
    if (Integer.parseInt(length) > bytes.length - at) {
      throw bad(
          "Content-Length is " + length + ", but the body has " + (bytes.length - at) + " bytes");
    }
    return Arrays.copyOfRange(bytes, at, at + Integer.parseInt(length));
  }

  private byte[] chunks() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      Matcher size = CHUNK_SIZE.matcher(line("a chunk's size"));
      if (!size.matches()) {
        throw bad("the body says chunked, and where a chunk's size should stand is none");
      }
      int length = Integer.parseInt(size.group(1), 16);
      if (length == 0) {
        return body.toByteArray();
      }
      if (length > bytes.length - at) {
        throw bad("the last chunk is cut off");
      }
      body.write(bytes, at, length);
      at += length;
      if (!line("the end of a chunk").isEmpty()) {
        throw bad("a chunk is longer than its size says");
      }
    }
  }

  /** The next line without its end; an end of the input ends a line too, but is none by itself. */
  private String line(String what) {
    if (at >= bytes.length) {
      throw bad("the input ends within " + what);
    }
    int end = at;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    int text = end > at && bytes[end - 1] == '\r' ? end - 1 : end;
    String line = new String(bytes, at, text - at, StandardCharsets.ISO_8859_1);
    at = Math.min(end + 1, bytes.length);
    return line;
  }

  private static List<String> values(List<HeaderField> headers, String name) {
    return headers.stream().filter(h -> h.is(name)).map(HeaderField::value).toList();
  }

  private static StartFailure bad(String why) {
    return StartFailure.invalid("standard input is no HTTP/1.1 request message: " + why);
  }
}

package dev.oncegate.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import dev.oncegate.core.HeaderField;
import dev.oncegate.gateway.http.RequestInspection.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestMessageTest {
  @Test
  void headersStandInOrder_withTheirRepetitions() {
    Message message = parse("POST /a?b HTTP/1.1\r\nHost: h\r\nX-A:1\r\nx-a:  2 \r\n\r\n");
    assertThat(message.method()).isEqualTo("POST");
    assertThat(message.target()).isEqualTo("/a?b");
    assertThat(message.headers())
        .containsExactly(
            new HeaderField("Host", "h"), new HeaderField("X-A", "1"), new HeaderField("x-a", "2"));
    assertThat(message.body().length()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "'POST / HTTP/1.1\\nHost: h\\n\\n{1}\\n', '{1}\\n'",
    "'POST / HTTP/1.1\\r\\nContent-Length: 3\\r\\n\\r\\n{1}\\r\\n', '{1}'",
    "'POST / HTTP/1.1\\r"
        + "\\n"
        + "Transfer-Encoding: chunked\\r"
        + "\\n"
        + "\\r"
        + "\\n"
        + "2\\r"
        + "\\n"
        + "{1\\r"
        + "\\n"
        + "1;x=y\\r"
        + "\\n"
        + "}\\r"
        + "\\n"
        + "0\\r"
        + "\\n"
        + "\\r"
        + "\\n"
        + "', '{1}'"
  })
  void body_isFramedOrTheRest(String text, String body) {
    assertThat(new String(parse(unescape(text)).body().array(), StandardCharsets.UTF_8))
        .isEqualTo(unescape(body));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ends within the request line",
    "'hello\\n\\n', line 1 is no request line",
    "'POST / HTTP/2\\n\\n', line 1 is no request line",
    "'POST / HTTP/1.1\\nHost\\n\\n', line 2 is no header",
    "'POST / HTTP/1.1\\nHost: h\\n', ends within the headers",
    "'POST / HTTP/1.1\\n"
        + "Content-Length: 4\\n"
        + "\\n"
        + "abc', 'Content-Length is 4, but the body has 3 bytes'",
    "'POST / HTTP/1.1\\nContent-Length: x\\n\\nabc', Content-Length is not one number",
    "'POST / HTTP/1.1\\nTransfer-Encoding: chunked\\n\\nxyz\\n', is none",
    "'POST / HTTP/1.1\\nTransfer-Encoding: chunked\\n\\n9\\nab\\n', cut off",
    "'POST / HTTP/1.1\\nTransfer-Encoding: chunked\\n\\n1\\nab\\n0\\n\\n', longer than its size"
  })
  void anythingElse_isOneClearLine(String text, String why) {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> parse(unescape(text)))
        .matches(failure -> failure.exitCode() == 2)
        .withMessageContaining(why);
  }

  private static Message parse(String text) {
    return RequestMessage.parse(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String unescape(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n");
  }
}

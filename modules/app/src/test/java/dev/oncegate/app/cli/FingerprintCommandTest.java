package dev.oncegate.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The projection of requests to the repository's own tenants. */
class FingerprintCommandTest {
  private static final String HEAD =
      "POST /shop/charges HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final Map<String, String> SECRET = Map.of("ONCEGATE_SECRET", "ab".repeat(32));

  private record Run(int code, String out, String err) {
    String digest() {
      return out.lines().filter(line -> line.startsWith("digest:")).findFirst().orElseThrow();
    }
  }

  @Test
  void projection_isPrintedPartByPart() {
    Run run = run("create-charge", HEAD + "\r\n{\"b\":1.0,\"a\":\"x\"}", SECRET);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(
            """
              version             1
              method              POST
              route               create-charge
              media-type          application/json
              json                {"a":"x","b":1}

            fallback: none
            digest:   v1\
            """);
    assertThat(run.digest()).matches("digest:   v1 [0-9a-f]{64}");
  }

  @Test
  void sameRequest_inAnotherSpellingAndInGzip_hasTheSameDigest() throws Exception {
    String digest = run("create-charge", HEAD + "\r\n{\"b\":1.0,\"a\":\"x\"}", SECRET).digest();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.write((HEAD + "Content-Encoding: gzip\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"a\": \"x\", \"b\": 1}".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(run("create-charge", packed.toByteArray(), SECRET).digest()).isEqualTo(digest);
    assertThat(run("create-charge", HEAD + "\r\n{\"a\":\"x\",\"b\":2}", SECRET).digest())
        .isNotEqualTo(digest);
    Run example = run("create-charge", HEAD + "\r\n{\"a\":\"x\",\"b\":1}", Map.of());
    assertThat(example.digest()).contains("under an example key").isNotEqualTo(digest);
  }

  @Test
  void bodyThatIsNoJson_namesTheFallback() {
    assertThat(run("create-charge", HEAD + "\r\n{\"a\":1,\"a\":2}", SECRET).out())
        .contains("raw-sha256", "fallback: duplicate_member");
  }

  @Test
  void whatTakesNoFingerprint_isRefusedWithTheReason() {
    assertRefused(run("create-refund", HEAD + "\r\n{}", SECRET), "takes route create-charge");
    assertRefused(run("nothing", HEAD + "\r\n{}", SECRET), "it has: create-charge, create-refund");
    assertRefused(
        run("create-charge", "GET /shop/charges HTTP/1.1\nHost: h\n\n", SECRET),
        "takes no route with a key protocol");
    assertRefused(
        run("create-charge", "POST /charges HTTP/1.1\nHost: h\n\n", SECRET),
        "leads to this tenant");
    assertRefused(
        run("create-charge", "POST /shop/charges HTTP/1.1\n\n", SECRET), "Exactly one Host");
    assertRefused(run("create-charge", "nonsense", SECRET), "no request line");
  }

  private static void assertRefused(Run run, String why) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(why).hasLineCount(1);
  }

  private static Run run(String route, String message, Map<String, String> environment) {
    return run(route, message.getBytes(StandardCharsets.UTF_8), environment);
  }

  private static Run run(String route, byte[] message, Map<String, String> environment) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = OncegateCommand.commandLine(environment, new ByteArrayInputStream(message));
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int code = line.execute("fingerprint", "../../tenants.yaml", "shop", route);
    return new Run(code, out.toString(), err.toString());
  }
}

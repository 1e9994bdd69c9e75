package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;

/** Whatever bytes come as JSON: one canonical form, or the raw bytes; never an exception. */
class JsonFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytes_haveOneFormOrNone(byte[] body) {
    for (Numbers numbers : Numbers.values()) {
      for (Strings strings : Strings.values()) {
        String form = form(body, numbers, strings);
        if (form != null) {
          assertThat(form(spaced(body), numbers, strings)).isEqualTo(form);
        }
      }
    }
  }

  private static String form(byte[] body, Numbers numbers, Strings strings) {
    JsonReader.Result result = JsonReader.read(body, numbers, strings);
    return result instanceof JsonReader.Result.Read read
        ? new JsonCanonical(FingerprintPolicy.BUILT_IN).whole(read.value())
        : null;
  }

  /** Blanks around a value do not count. */
  private static byte[] spaced(byte[] body) {
    boolean marked = body.length > 2 && body[0] == (byte) 0xEF && body[1] == (byte) 0xBB;
    int from = marked ? 3 : 0;
    byte[] spaced = new byte[body.length - from + 2];
    spaced[0] = ' ';
    System.arraycopy(body, from, spaced, 1, body.length - from);
    spaced[spaced.length - 1] = '\n';
    return spaced;
  }
}

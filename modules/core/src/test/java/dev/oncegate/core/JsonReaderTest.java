package dev.oncegate.core;

import static dev.oncegate.core.FallbackReason.DUPLICATE_MEMBER;
import static dev.oncegate.core.FallbackReason.INVALID;
import static dev.oncegate.core.FallbackReason.LIMITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import dev.oncegate.core.JsonReader.Result;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static Result read(byte[] body) {
    return JsonReader.read(body, Numbers.EXACT, Strings.AS_IS);
  }

  private static Result read(String body) {
    return read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertRefused(Result result, FallbackReason reason) {
    assertThat(result).isEqualTo(new Result.Refused(reason));
  }

  private static void assertRead(Result result) {
    assertThat(result).isInstanceOf(Result.Read.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":NaN}",
        "[Infinity]",
        "[-Infinity]",
        "{\"a\":1",
        "",
        "  ",
        "{'a':1}",
        "{a:1}",
        "[1,]",
        "{\"a\":1,}",
        "[01]",
        "[+1]",
        "[.5]",
        "[5.]",
        "[1e]",
        "-",
        "[1]x",
        "1 2",
        "{}{}",
        "// c\n1",
        "/* c */1",
        "\"a\nb\"",
        "\"\\x\"",
        "nul",
        "True",
        "[\u00A01]",
        "\uFEFF\uFEFF1",
        "\"\u0000\"",
        "]",
        "\"\\u00g1\"",
        "\"\\u006\"",
        "\"\\u006\u0131\"",
        "{\"\\u006\u0131\":1}"
      })
  void c35_notQuiteJson_isInvalid(String body) {
    assertRefused(read(body), INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\uD800\"",
        "\"\\uDC00\"",
        "\"\\uD800x\"",
        "\"\\uDC00\\uD800\"",
        "\"\\uD800\\uD800\"",
        "{\"\\uD800\":1}",
        "{\"a\":\"\\ud83d\\n\"}"
      })
  void c35_loneSurrogates_areInvalid(String body) {
    assertRefused(read(body), INVALID);
  }

  @Test
  void escapedPair_isOneCharacter() {
    assertThat(read("\"\\uD83D\\uDE00\"")).isEqualTo(read("\"\uD83D\uDE00\""));
  }

  @Test
  void c35_illFormedUtf8_isInvalid() {
    assertRefused(read(bytes('"', 0xED, 0xA0, 0x80, '"')), INVALID); // an encoded surrogate
    assertRefused(read(bytes('"', 0xC0, 0xAF, '"')), INVALID); // overlong
    assertRefused(read(bytes('"', 0xF4, 0x90, 0x80, 0x80, '"')), INVALID); // above U+10FFFF
    assertRefused(read(bytes('"', 0xE9, '"')), INVALID); // ISO 8859-1
    assertRefused(read(bytes('"', 0xE2, 0x82)), INVALID); // cut off
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
  void c35_otherEncodings_areInvalid(String charset) {
    assertRefused(read("{\"a\":1}".getBytes(Charset.forName(charset))), INVALID);
  }

  @Test
  void c35_byteOrderMark_isSkipped() {
    assertThat(read("\uFEFF{\"a\":1}")).isEqualTo(read("{\"a\":1}"));
    assertRefused(read("\uFEFF"), INVALID);
  }

  @Test
  void duplicateNames_areRefused_onAnyLevelAndHoweverSpelled() {
    assertRefused(read("{\"a\":1,\"a\":1}"), DUPLICATE_MEMBER);
    assertRefused(read("[{\"o\":{\"a\":1,\"b\":2,\"\\u0061\":3}}]"), DUPLICATE_MEMBER);
    assertRead(read("{\"a\":{\"a\":1},\"A\":1}"));
  }

  @Test
  void namesEqualUnderNfc_areDuplicates() {
    byte[] body = "{\"\u00E9\":1,\"e\u0301\":2}".getBytes(StandardCharsets.UTF_8);
    assertRead(read(body));
    assertRefused(JsonReader.read(body, Numbers.EXACT, Strings.NFC), DUPLICATE_MEMBER);
  }

  @Test
  void c33_nestingAtTheBound_isRead_oneMoreIsNot() {
    assertRead(read("[".repeat(100) + "]".repeat(100)));
    assertRead(read("{\"a\":".repeat(100) + "1" + "}".repeat(100)));
    assertRefused(read("[".repeat(101) + "]".repeat(101)), LIMITS);
    assertRefused(read("{\"a\":[".repeat(50) + "{}" + "]}".repeat(50)), LIMITS);
  }

  @Test
  void c33_hostileJson_isBeyondLimits() {
    assertRefused(read("{\"amount\":9.2e1010671858}"), LIMITS);
    assertRefused(read("[1e999999999]"), LIMITS);
    assertRefused(read("[-1E-999999999]"), LIMITS);
    assertRefused(read("{\"amount\":" + "9".repeat(1_000_000) + "}"), LIMITS);
    assertRefused(read("[0." + "0".repeat(1_000_000) + "1]"), LIMITS);
    assertRefused(read("[1e" + "0".repeat(1_000_000) + "1]"), LIMITS);
    assertRefused(read("[".repeat(100_000)), LIMITS);
    assertRefused(read("[".repeat(100_000) + "]".repeat(100_000)), LIMITS);
    assertRefused(read("{\"a\":".repeat(100_000)), LIMITS);
  }

  @Test
  void c33_digitsAtTheBound_areRead_oneMoreIsNot() {
    assertRead(read("-" + "9".repeat(1000) + "e+9999"));
    assertRead(read("[" + "9".repeat(500) + "." + "9".repeat(500) + "]"));
    assertRefused(read("9".repeat(1001)), LIMITS);
    assertRefused(read("[0." + "1".repeat(1000) + "]"), LIMITS);
    assertRefused(read("1e10000"), LIMITS);
  }

  @Test
  void longStringsAndNames_areRead() {
    String long30M = "x".repeat(30_000_000);
    assertRead(read("{\"" + "n".repeat(100_000) + "\":\"" + long30M + "\"}"));
  }

  @Test
  void numbers_keepTheirSpelling() {
    assertThat(read("0.10000000000000000000001"))
        .isEqualTo(new Result.Read(new JsonValue.Decimal("0.10000000000000000000001")));
  }

  @Test
  void overflowUnderIeee754_isBeyondLimits() {
    byte[] body = "[1e309]".getBytes(StandardCharsets.UTF_8);
    assertRead(read(body));
    assertRefused(JsonReader.read(body, Numbers.IEEE754, Strings.AS_IS), LIMITS);
  }

  @Test
  void longRunsOfMarks_areNotNormalised() {
    String marks = "\u0301\u0323".repeat(15);
    byte[] fine = ("\"e" + marks + "\"").getBytes(StandardCharsets.UTF_8);
    byte[] hostile = ("\"e" + marks + "\u0301\"").getBytes(StandardCharsets.UTF_8);
    assertRead(JsonReader.read(fine, Numbers.EXACT, Strings.NFC));
    assertRefused(JsonReader.read(hostile, Numbers.EXACT, Strings.NFC), LIMITS);
    assertRead(read(hostile));
  }

  @Property(tries = 2000)
  void anyBytes_giveAResult(@ForAll byte[] body) {
    assertThat(read(body)).isNotNull();
  }

  @Property(tries = 5000)
  void anyTextOfJsonCharacters_givesAResult(
      @ForAll
          @StringLength(max = 30)
          @Chars({'{', '}', '[', ']', '"', ':', ',', '\\', 'u', 'e', 't', 'n', '-', '.', ' '})
          @CharRange(from = '0', to = '9')
          String body) {
    assertThat(read(body)).isNotNull();
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}

package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RoutePolicy.KeyPolicy.Syntax;
import dev.oncegate.gateway.http.KeyHeader.Parsed;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {
  @Test
  void noLine_isMissing() {
    assertThat(KeyHeader.parse(List.of(), Syntax.LENIENT, 255)).isInstanceOf(Parsed.Missing.class);
  }

  @Test
  void twoLines_areMalformedEvenWhenEqual() {
    assertThat(KeyHeader.parse(List.of("a", "a"), Syntax.LENIENT, 255))
        .isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void c47_quotedAndBare_areOneKey() {
    assertThat(lenient("\"abc-1\"")).isEqualTo(key("abc-1"));
    assertThat(lenient("abc-1")).isEqualTo(key("abc-1"));
    assertThat(lenient("\"a\\\"b\"")).isEqualTo(key("a\"b"));
    assertThat(lenient("\"a,b;c\\\\d\"")).isEqualTo(key("a,b;c\\d"));
    assertThat(strict("\"abc-1\"")).isEqualTo(key("abc-1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "abc ",
        " abc",
        "abc def",
        "\"\"",
        "\"abc",
        "\"abc\" ",
        "\"abc\";v=2",
        "\"abc\", \"def\"",
        "\"a b\"",
        "\"Ab1 \"",
        "\"a\\nb\"",
        "\"a\\",
        "\"",
        "a,b",
        "a;v=2",
        "a\"b",
        "a\\b",
        "caf\u00e9",
        "\"caf\u00e9\"",
        "a\tb",
        "a\u0000b",
        "a\u007f"
      })
  void otherSpellings_areMalformed(String value) {
    assertThat(lenient(value)).isInstanceOf(Parsed.Malformed.class);
    assertThat(strict(value)).isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void bareKeyOnStrictRoute_isMalformed() {
    assertThat(strict("abc-1")).isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void c51_lengthCountsAfterUnquoting() {
    String longest = "\"".repeat(255);
    String quoted = "\"" + "\\\"".repeat(255) + "\"";
    assertThat(lenient(quoted)).isEqualTo(key(longest));
    assertThat(lenient("x".repeat(255))).isEqualTo(key("x".repeat(255)));
    assertThat(lenient("x".repeat(256))).isInstanceOf(Parsed.Malformed.class);
    assertThat(lenient("\"" + "x".repeat(256) + "\"")).isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void detail_neverHoldsTheValue() {
    Parsed parsed = lenient("\"secret-value\";v=2");
    assertThat(((Parsed.Malformed) parsed).detail()).doesNotContain("secret");
  }

  @Property
  void everyKey_roundTripsQuoted(@ForAll("keys") String value) {
    String quoted = "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    assertThat(lenient(quoted)).isEqualTo(key(value));
    assertThat(strict(quoted)).isEqualTo(key(value));
  }

  @Property
  void everyKeyWithoutDelimiters_roundTripsBare(@ForAll("keys") String value) {
    boolean plain = value.chars().noneMatch(c -> "\",;\\".indexOf(c) >= 0);
    if (plain) {
      assertThat(lenient(value)).isEqualTo(key(value));
    } else if (!value.startsWith("\"")) {
      assertThat(lenient(value)).isInstanceOf(Parsed.Malformed.class);
    }
  }

  /** The library takes parameters, blanks and the empty String as well; all else must agree. */
  @Property(tries = 2000)
  void strict_agreesWithAnRfc8941Parser(@ForAll("nearlyQuoted") String value) {
    Parsed parsed = strict(value);
    String expected = null;
    try {
      StringItem item = new Parser(value).parseItem() instanceof StringItem s ? s : null;
      boolean ours =
          item != null
              && item.getParams().isEmpty()
              && value.startsWith("\"")
              && value.endsWith("\"")
              && !item.get().isEmpty()
              && item.get().indexOf(' ') < 0;
      expected = ours ? item.get() : null;
    } catch (ParseException notAnItem) {
      // Refused by both.
    }
    if (expected == null) {
      assertThat(parsed).isInstanceOf(Parsed.Malformed.class);
    } else {
      assertThat(parsed).isEqualTo(key(expected));
    }
  }

  @Provide
  Arbitrary<String> keys() {
    return Arbitraries.strings().withCharRange('\u0021', '\u007e').ofMinLength(1).ofMaxLength(60);
  }

  @Provide
  Arbitrary<String> nearlyQuoted() {
    return Arbitraries.strings()
        .withChars("ab\"\\;= ,1")
        .withChars('\u00e9', '\t')
        .ofMaxLength(8)
        .map(inner -> "\"" + inner + "\"");
  }

  private static Parsed lenient(String value) {
    return KeyHeader.parse(List.of(value), Syntax.LENIENT, 255);
  }

  private static Parsed strict(String value) {
    return KeyHeader.parse(List.of(value), Syntax.STRICT, 255);
  }

  private static Parsed key(String value) {
    return new Parsed.Accepted(new IdempotencyKey(value));
  }
}

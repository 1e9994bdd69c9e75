package dev.oncegate.core;

import static dev.oncegate.core.Requests.exclude;
import static dev.oncegate.core.Requests.include;
import static dev.oncegate.core.Requests.json;
import static dev.oncegate.core.Requests.policy;
import static dev.oncegate.core.Requests.project;
import static dev.oncegate.core.Requests.typed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.CanonicalProjection.Projected;
import dev.oncegate.core.FingerprintPolicy.BodySelection;
import dev.oncegate.core.FingerprintPolicy.LetterCase;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyProjectionTest {
  private static final FingerprintPolicy C30 = policy(include("/a", "/b", "/o"));
  private static final String C30_BODY = "{\"a\":1,\"b\":[1,2],\"o\":{\"x\":1,\"y\":null}}";

  private static String text(Projected projected) {
    return new String(projected.bytes().array(), StandardCharsets.UTF_8);
  }

  private static void assertFallback(Projected projected, FallbackReason reason) {
    assertThat(projected.fallback()).isEqualTo(Optional.of(reason));
  }

  @Test
  void c30_orderBlanksEscapes_areTheSame() {
    String respelled =
        " { \"o\" : {\"y\":null,\t\"x\":1.0},\r\n\"b\":[ 1 ,2 ], \"\\u0061\":1 , \"x\":9} ";
    assertThat(project(C30, respelled)).isEqualTo(project(C30, C30_BODY));
    assertThat(project(C30, C30_BODY).fallback()).isEmpty();
  }

  @Test
  void c30_arrayOrder_counts() {
    String swapped = "{\"a\":1,\"b\":[2,1],\"o\":{\"x\":1,\"y\":null}}";
    assertThat(project(C30, swapped)).isNotEqualTo(project(C30, C30_BODY));
  }

  @Test
  void c30_missing_isNotNull() {
    String without = "{\"a\":1,\"b\":[1,2],\"o\":{\"x\":1}}";
    assertThat(project(C30, without)).isNotEqualTo(project(C30, C30_BODY));
    assertThat(project(C30, "{\"a\":1,\"b\":null}")).isNotEqualTo(project(C30, "{\"a\":1}"));
  }

  @Test
  void c30_unlistedMember_doesNotCount() {
    String more = C30_BODY.replace("{\"a\"", "{\"extra\":[{}],\"a\"");
    assertThat(project(C30, more)).isEqualTo(project(C30, C30_BODY));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1.0, true",
    "1, 1.00, true",
    "1, 1e0, true",
    "1, 10e-1, true",
    "0, -0, true",
    "0, 0.0, true",
    "0.1, 0.10000000000000001, false",
    "9007199254740993, 9007199254740992, false",
    "1, '\"1\"', false",
    "null, '\"null\"', false",
    "true, 1, false",
    "0, false, false",
    "0, null, false",
    "'[]', '{}', false",
    "'\"\"', null, false"
  })
  void c31_numberSpellings_compareByValue(String one, String other, boolean same) {
    String a = "{\"amount\":" + one + "}";
    String b = "{\"amount\":" + other + "}";
    assertThat(project(a).equals(project(b))).isEqualTo(same);
    assertThat(project(one).equals(project(other))).as("at the root").isEqualTo(same);
  }

  @Test
  void c33_hostileNumbers_areTakenRaw() {
    assertFallback(project("{\"amount\":9.2e1010671858}"), FallbackReason.LIMITS);
    assertFallback(project("[".repeat(100_000)), FallbackReason.LIMITS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":NaN}", "{\"a\":\"\\uD800\"}", "{\"a\":1", ""})
  void c35_notQuiteJson_isTakenRaw(String body) {
    assertFallback(project(body), FallbackReason.INVALID);
    assertThat(project(body)).isEqualTo(project(body)).isNotEqualTo(project(body + " "));
  }

  @Test
  void c35_replacementCharacter_isNotTheLoneSurrogate() {
    assertThat(project("{\"a\":\"\\uFFFD\"}")).isNotEqualTo(project("{\"a\":\"\\uD800\"}"));
  }

  @Test
  void c35_duplicates_areTakenRaw() {
    assertFallback(project("{\"a\":1,\"a\":2}"), FallbackReason.DUPLICATE_MEMBER);
    assertThat(project("{\"a\":1,\"a\":2}")).isNotEqualTo(project("{\"a\":2,\"a\":1}"));
  }

  @Test
  void c35_foreignCharset_isTakenRaw() {
    byte[] utf16 = "{\"a\":1}".getBytes(StandardCharsets.UTF_16);
    assertFallback(
        project(typed("application/json; charset=utf-16", utf16)), FallbackReason.INVALID);
    // The bytes are fine UTF-8, but stand for other characters.
    assertFallback(
        project(typed("application/json; charset=iso-8859-1", "\"\u00E9\"")),
        FallbackReason.INVALID);
    assertThat(project(typed("application/json;charset=us-ascii", "1")).fallback()).isEmpty();
  }

  @Test
  void c37_volatileMember_isNotInTheIdentity() {
    FingerprintPolicy chosen = policy(include("/amount", "/currency"));
    String first = "{\"amount\":5,\"currency\":\"EUR\",\"sent_at\":\"10:00:01\"}";
    assertThat(project(chosen, first.replace("01", "09"))).isEqualTo(project(chosen, first));
    assertThat(project(chosen, first.replace("EUR", "USD"))).isNotEqualTo(project(chosen, first));
  }

  @Test
  void c39_multipart_countsByItsBytes() {
    String type = "multipart/form-data; boundary=AAA";
    String body = "--AAA\r\n\r\nfile\r\n--AAA--\r\n";
    Projected first = project(typed(type, body));
    assertFallback(first, FallbackReason.NOT_JSON);
    assertThat(project(typed(type, body))).isEqualTo(first);
    assertThat(project(typed(type.replace("AAA", "BBB"), body.replace("AAA", "BBB"))))
        .isNotEqualTo(first);
    assertThat(project(typed(type, body.replace("file", "filf")))).isNotEqualTo(first);
  }

  @Test
  void rawBody_neverMeetsACanonicalOne() {
    FingerprintPolicy raw = policy(new BodySelection.Raw());
    Projected rawProjected = project(raw, "{\"a\":1}");
    assertThat(rawProjected.fallback()).isEmpty();
    assertThat(project(raw, "{\"a\":1 }")).isNotEqualTo(rawProjected);
    // A body that spells the digest line of another body.
    String digest = text(rawProjected).lines().filter(l -> l.startsWith("raw")).findFirst().get();
    assertThat(project("\"" + digest + "\"")).isNotEqualTo(rawProjected);
  }

  @Test
  void emptyBodyWithoutJson_isNoFallback_anyOtherIs() {
    FingerprintInput none = Requests.method(json(new byte[0]), "DELETE");
    FingerprintInput untyped =
        new FingerprintInput("POST", "r", Map.of(), null, java.util.List.of(), none.body());
    assertThat(project(untyped).fallback()).isEmpty();
    assertFallback(project(typed("text/plain", "x")), FallbackReason.NOT_JSON);
    assertFallback(project(typed("text/json", "{}")), FallbackReason.NOT_JSON);
    assertThat(project(typed("application/problem+JSON", "{}")).fallback()).isEmpty();
  }

  @Test
  void include_selectingNothing_takesTheWholeBody() {
    Projected nothing = project(policy(include("/zzz", "/a/b")), "{\"a\":1,\"b\":2}");
    assertFallback(nothing, FallbackReason.EMPTY_PROJECTION);
    assertThat(project(policy(include("/zzz", "/a/b")), "{ \"b\":2.0,\"a\":1}")).isEqualTo(nothing);
    assertThat(project(policy(include("/zzz", "/a/b")), "{\"a\":1,\"b\":3}")).isNotEqualTo(nothing);
    assertFallback(project(policy(include()), "{}"), FallbackReason.EMPTY_PROJECTION);
    assertFallback(project(policy(include("/a")), "\"scalar\""), FallbackReason.EMPTY_PROJECTION);
    assertFallback(project(policy(exclude("")), "{\"a\":1}"), FallbackReason.EMPTY_PROJECTION);
    assertThat(project(policy(include("/a")), "{\"a\":null}").fallback()).isEmpty();
  }

  @Test
  void include_leadsThroughArraysByIndex() {
    FingerprintPolicy first = policy(include("/items/0/sku"));
    String body = "{\"items\":[{\"sku\":\"x\",\"n\":1},{\"sku\":\"y\"}]}";
    assertThat(project(first, body.replace("y", "z").replace(":1}", ":2}")))
        .isEqualTo(project(first, body));
    assertThat(project(first, body.replace("x", "z"))).isNotEqualTo(project(first, body));
    assertFallback(project(policy(include("/items/00")), body), FallbackReason.EMPTY_PROJECTION);
    assertFallback(project(policy(include("/items/-")), body), FallbackReason.EMPTY_PROJECTION);
    assertFallback(
        project(policy(include("/items/99999999999999999999")), body),
        FallbackReason.EMPTY_PROJECTION);
  }

  @Test
  void include_elementAndMemberOfOneName_differ() {
    FingerprintPolicy zero = policy(include("/a/0"));
    assertThat(project(zero, "{\"a\":[1]}")).isNotEqualTo(project(zero, "{\"a\":{\"0\":1}}"));
  }

  @Test
  void include_samePartsAtOtherPlaces_differ() {
    FingerprintPolicy two = policy(include("/a", "/b"));
    assertThat(project(two, "{\"a\":1}")).isNotEqualTo(project(two, "{\"b\":1}"));
    FingerprintPolicy indices = policy(include("/0", "/1"));
    assertThat(project(indices, "[1]")).isNotEqualTo(project(indices, "[1,1]"));
    assertThat(project(policy(include("/a~1b")), "{\"a/b\":1}"))
        .isNotEqualTo(project(policy(include("/a/b")), "{\"a\":{\"b\":1}}"));
  }

  @Test
  void include_overlapsRepeatsAndOrder_areUnambiguous() {
    String body = "{\"a\":{\"b\":1,\"c\":2}}";
    assertThat(project(policy(include("/a/b", "/a/c")), body))
        .isEqualTo(project(policy(include("/a/c", "/a/b", "/a/c")), body))
        .isNotEqualTo(project(policy(include("/a")), body));
    FingerprintPolicy overlap = policy(include("/a", "/a/b"));
    assertThat(project(overlap, "{\"a\":{\"b\":1,\"c\":3}}")).isNotEqualTo(project(overlap, body));
  }

  @Test
  void exclude_leavesOutPartsWithTheirNames() {
    FingerprintPolicy without = policy(exclude("/sentAt", "/trace", "/o/x", "/list/0"));
    String plain = "{\"a\":1,\"o\":{},\"list\":[7]}";
    String noisy = "{\"sentAt\":3,\"a\":1,\"trace\":[1],\"o\":{\"x\":{}},\"list\":[7]}";
    assertThat(project(without, noisy)).isEqualTo(project(without, plain));
    assertThat(project(without, plain.replace("[7]", "[8]"))).isEqualTo(project(without, plain));
    assertThat(project(without, plain.replace("[7]", "[7,8]")))
        .isNotEqualTo(project(without, plain));
    assertThat(project(without, plain.replace("{},", "{\"sentAt\":1},")))
        .as("a member of that name elsewhere counts")
        .isNotEqualTo(project(without, plain));
  }

  @Test
  void letterCase_holdsForAPartAndWhatIsInIt() {
    FingerprintPolicy upper = cased(Strings.AS_IS, "/currency", LetterCase.UPPER);
    assertThat(project(upper, "{\"currency\":\"eur\",\"x\":\"a\"}"))
        .isEqualTo(project(upper, "{\"currency\":\"EUR\",\"x\":\"a\"}"))
        .isNotEqualTo(project(upper, "{\"currency\":\"EUR\",\"x\":\"A\"}"));
    assertThat(project(upper, "{\"currency\":[\"eur\"]}"))
        .isEqualTo(project(upper, "{\"currency\":[\"Eur\"]}"));
    assertThat(project(upper, "{\"currency\":{\"a\":1}}"))
        .isNotEqualTo(project(upper, "{\"currency\":{\"A\":1}}"));
    FingerprintPolicy item = cased(Strings.AS_IS, "/c/1", LetterCase.LOWER);
    assertThat(project(item, "{\"c\":[\"a\",\"B\"]}"))
        .isEqualTo(project(item, "{\"c\":[\"a\",\"b\"]}"))
        .isNotEqualTo(project(item, "{\"c\":[\"A\",\"b\"]}"));
  }

  @Test
  void letterCase_holdsForIncludedParts() {
    FingerprintPolicy upper =
        policy(
            include("/o/currency"),
            Numbers.EXACT,
            Strings.AS_IS,
            Map.of(JsonPointer.compile("/o"), LetterCase.UPPER));
    assertThat(project(upper, "{\"o\":{\"currency\":\"eur\"}}"))
        .isEqualTo(project(upper, "{\"o\":{\"currency\":\"EUR\"}}"))
        .isNotEqualTo(project(upper, "{\"o\":{\"currency\":\"USD\"}}"));
  }

  @Test
  void nfc_makesCompositionsEqual_alsoInNamesPointersAndAfterACaseChange() {
    FingerprintPolicy nfc = cased(Strings.NFC, "/e\u0301", LetterCase.UPPER);
    String composed = "{\"\u00E9\":\"\u0390\",\"x\":\"\u00E9\"}";
    assertThat(project(nfc, "{\"e\u0301\":\"\u03B9\u0308\u0301\",\"x\":\"e\u0301\"}"))
        .isEqualTo(project(nfc, composed))
        .isEqualTo(project(nfc, "{\"\u00E9\":\"\u0399\u0308\u0301\",\"x\":\"\u00E9\"}"));
    assertThat(project("\"e\u0301\"")).isNotEqualTo(project("\"\u00E9\""));
  }

  @Test
  void members_areSortedByCodePoints() {
    // As UTF-16 units the surrogates of U+10000 would come before U+FF61.
    assertThat(text(project("{\"\uD800\uDC00\":1,\"\uFF61\":2,\"b\":3,\"\":4}")))
        .contains("{\"\":4,\"b\":3,\"\uFF61\":2,\"\uD800\uDC00\":1}");
  }

  @Test
  void controlCharactersAndQuotes_haveOneSpelling() {
    assertThat(text(project("\"\\u0000\\n\\\"\\\\\\/\\u007f\"")))
        .contains("\"\\u0000\\u000a\\\"\\\\/\u007f\"");
  }

  private static FingerprintPolicy cased(Strings strings, String pointer, LetterCase letterCase) {
    return policy(
        new BodySelection.Whole(),
        Numbers.EXACT,
        strings,
        Map.of(JsonPointer.compile(pointer), letterCase));
  }
}

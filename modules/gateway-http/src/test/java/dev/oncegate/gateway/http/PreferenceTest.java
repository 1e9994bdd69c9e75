package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7240. */
class PreferenceTest {
  @ParameterizedTest
  @MethodSource
  void wish_isRead(List<String> lines, long seconds) {
    assertThat(Preference.waitOf(lines)).contains(Duration.ofSeconds(seconds));
  }

  static Stream<Arguments> wish_isRead() {
    return Stream.of(
        arguments(List.of("wait=10"), 10),
        arguments(List.of("wait=0"), 0),
        arguments(List.of("wait=007"), 7),
        arguments(List.of("wait=0000000000000000000000000005"), 5),
        arguments(List.of("WAIT=10"), 10),
        arguments(List.of(" Wait = 10 "), 10),
        arguments(List.of("\twait\t=\t10\t"), 10),
        arguments(List.of("wait=\"10\""), 10),
        arguments(List.of("wait=\"1\\0\""), 10),
        arguments(List.of("respond-async, wait=10"), 10),
        arguments(List.of("wait=10, respond-async"), 10),
        arguments(List.of(",, ,wait=10,"), 10),
        arguments(List.of("respond-async", "wait=10"), 10),
        arguments(List.of("", "wait=10"), 10),
        arguments(List.of("wait=10; foo=\"some, parameter\"; bar"), 10),
        arguments(List.of("return=minimal; foo=\"wait=3, wait=4\", wait=10"), 10),
        arguments(List.of("foo=\"a \\\", wait=3\", wait=10"), 10),
        arguments(List.of("foo; wait=3, wait=10"), 10),
        arguments(List.of("waiting=3, wait=10"), 10),
        arguments(List.of("not a preference, wait=10"), 10),
        arguments(List.of("wait=10, wait=20"), 10),
        arguments(List.of("wait=10", "wait=20"), 10),
        arguments(List.of("wait=10", "wait=nonsense"), 10),
        arguments(List.of("wait=999999999"), 999_999_999),
        arguments(List.of("wait=1000000000"), Integer.MAX_VALUE),
        arguments(List.of("wait=99999999999999999999999999999"), Integer.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wait",
        "wait=",
        "wait=\"\"",
        "wait=-1",
        "wait=+1",
        "wait=1.5",
        "wait=1e3",
        "wait=0x10",
        "wait=10s",
        "wait=1 0",
        "wait=10 seconds",
        "wait==10",
        "wait=\"10",
        "wait=10\"",
        "wait=\"",
        "wait=\" 10\"",
        "wait='10'",
        "wait=\u0661\u0660",
        "wait 10",
        "wait;10",
        "await=10",
        "wait=ten, wait=10",
        "foo=\"never closed, wait=10",
        "respond-async; wait=10"
      })
  void whatCannotBeRead_isNoWish(String line) {
    assertThat(Preference.waitOf(List.of(line))).isEmpty();
  }

  @Test
  void noLine_isNoWish() {
    assertThat(Preference.waitOf(List.of())).isEmpty();
  }

  @Test
  void followedWish_isSaidInItsSeconds() {
    assertThat(Preference.applied(Duration.ZERO)).isEqualTo("wait=0");
    assertThat(Preference.applied(Duration.ofSeconds(10))).isEqualTo("wait=10");
  }

  @Property
  void whateverStandsThere_isAWishInRangeOrNone(@ForAll("lines") List<String> lines) {
    Optional<Duration> wait = Preference.waitOf(lines);
    assertThat(wait.orElse(Duration.ZERO)).isBetween(Duration.ZERO, Preference.LONGEST);
  }

  @Property
  void wish_isReadAmongWhateverIsWellFormed(
      @ForAll("others") List<String> before,
      @ForAll("others") List<String> after,
      @ForAll @LongRange(min = 0, max = 999_999_999) long seconds) {
    String wish = Preference.applied(Duration.ofSeconds(seconds));
    String line = String.join(",", before) + "," + wish + "," + String.join(",", after);
    assertThat(Preference.waitOf(List.of(line))).contains(Duration.ofSeconds(seconds));
  }

  @Provide
  Arbitrary<List<String>> lines() {
    Arbitrary<String> pieces =
        Arbitraries.of("wait", "=", "10", "\"", "\\", ",", ";", " ", "\t", "-", "9999999999", "x");
    Arbitrary<String> any = Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(20);
    return Arbitraries.oneOf(pieces, any)
        .list()
        .ofMaxSize(12)
        .map(parts -> String.join("", parts))
        .list()
        .ofMaxSize(3);
  }

  @Provide
  Arbitrary<List<String>> others() {
    return Arbitraries.of(
            "respond-async",
            "return=minimal",
            "handling = \"len, ient\"; wait=5",
            "x=\"a\\\",wait=6\"",
            "",
            " ",
            "wai=7")
        .list()
        .ofMaxSize(4);
  }
}

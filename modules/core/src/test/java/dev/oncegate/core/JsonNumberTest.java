package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonNumberTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1.00, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E+01, 1",
    "100e-0002, 1",
    "0, 0",
    "-0, 0",
    "0.0, 0",
    "-0.00e99, 0",
    "0e-9999, 0",
    "0.1, 1e-1",
    "0.10000000000000001, 10000000000000001e-17",
    "1200, 12e2",
    "-12.50, -125e-1",
    "1e9999, 1e9999",
    "1E-9999, 1e-9999",
    "9007199254740993, 9007199254740993",
    "9007199254740992, 9007199254740992"
  })
  void c31_exact_hasOneSpellingPerValue(String spelled, String canonical) {
    assertThat(JsonNumber.withinBounds(spelled)).isTrue();
    assertThat(JsonNumber.exact(spelled)).isEqualTo(canonical);
  }

  @Test
  void digitsAtTheBound_areWithin_oneMoreIsNot() {
    String thousand = "9".repeat(1000);
    assertThat(JsonNumber.withinBounds("-" + thousand + "e-9999")).isTrue();
    assertThat(JsonNumber.withinBounds("0." + "9".repeat(999))).isTrue();
    assertThat(JsonNumber.withinBounds(thousand + "9")).isFalse();
    assertThat(JsonNumber.withinBounds("0." + thousand)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "1e9999, true",
    "1e10000, false",
    "1e-9999, true",
    "1e-10000, false",
    "1E+0000000009999, true",
    "1e999999999, false",
    "9.2e1010671858, false",
    "1e99999999999999999999, false",
    "1e00, true"
  })
  void exponents_areBoundedAsSpelled(String spelled, boolean within) {
    assertThat(JsonNumber.withinBounds(spelled)).isEqualTo(within);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.10000000000000001, true",
    "9007199254740993, 9007199254740992, true",
    "-0, 0, true",
    "1, 1.0, true",
    "1e-400, 0, true",
    "0.1, 0.2, false",
    "1, -1, false"
  })
  void ieee754_comparesDoubles(String one, String other, boolean same) {
    assertThat(JsonNumber.ieee754(one).equals(JsonNumber.ieee754(other))).isEqualTo(same);
  }

  @Test
  void ieee754_hasNoDoubleBeyondItsRange() {
    assertThat(JsonNumber.hasDouble("1.7976931348623157e308")).isTrue();
    assertThat(JsonNumber.hasDouble("1e309")).isFalse();
    assertThat(JsonNumber.hasDouble("-1e9999")).isFalse();
  }

  @Property
  void exact_agreesWithBigDecimal(
      @ForAll @Size(min = 1, max = 2) java.util.List<Long> mantissas,
      @ForAll @IntRange(min = -60, max = 60) int one,
      @ForAll @IntRange(min = -3, max = 3) int shift) {
    long first = mantissas.get(0);
    long second = mantissas.get(mantissas.size() - 1) / 1000 * 1000;
    String a = first + "e" + one;
    String b = BigDecimal.valueOf(second, -one).movePointLeft(shift).toPlainString();
    boolean same = new BigDecimal(a).compareTo(new BigDecimal(b)) == 0;
    assertThat(JsonNumber.exact(a).equals(JsonNumber.exact(b))).isEqualTo(same);
    assertThat(new BigDecimal(JsonNumber.exact(b))).isEqualByComparingTo(new BigDecimal(b));
  }
}

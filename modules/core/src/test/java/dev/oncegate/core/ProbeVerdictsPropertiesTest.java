package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ProbeVerdictsPropertiesTest {
  /** Wherever a part stands, it is replayed as it was written. */
  @Property(tries = 500)
  void part_isCutOutByteForByte(
      @ForAll("values") String part,
      @ForAll("values") String before,
      @ForAll("values") String after,
      @ForAll("spaces") String space) {
    String body =
        space
            + "{\"b\":"
            + before
            + ",\"ä\":["
            + before
            + space
            + ","
            + space
            + part
            + space
            + ","
            + after
            + "]}"
            + space;

    assertThat(
            JsonSlice.of(
                Bytes.wrap(body.getBytes(StandardCharsets.UTF_8)), JsonPointer.compile("/ä/1")))
        .contains(Bytes.wrap(part.getBytes(StandardCharsets.UTF_8)));
  }

  /** Not both at once, whatever comes: what an array holds cannot be there where it is empty. */
  @Property(tries = 500)
  void anyBytes_areNeverBothVerdicts(@ForAll byte[] body, @ForAll("values") String value) {
    Reconciliation.Probe probe =
        ProbeVerdictsTest.probe("GET", Set.of(200), "/data/0", "/data/0", "/data");
    for (byte[] answer :
        new byte[][] {body, ("{\"data\":" + value + "}").getBytes(StandardCharsets.UTF_8)}) {
      ProbeVerdicts.Result result = ProbeVerdicts.of(probe, 200, Bytes.wrap(answer), true);
      assertThat(result).isNotEqualTo(new ProbeVerdicts.Undecided("both verdicts at once"));
      if (result instanceof ProbeVerdicts.Applied applied) {
        assertThat(JsonReader.read(applied.replayBody().array(), Numbers.EXACT, Strings.AS_IS))
            .isInstanceOf(JsonReader.Result.Read.class);
      }
    }
  }

  @Provide
  Arbitrary<String> values() {
    return Arbitraries.lazyOf(
        () ->
            Arbitraries.of(
                "1",
                "-0.50e+2",
                "\"\"",
                "\"a\\\"b\\\\\"",
                "\"é😀\\u00e9\"",
                "true",
                "null",
                "[]",
                "{}",
                "[ ]"),
        () -> values().list().ofMaxSize(3).map(items -> "[ " + String.join(" ,", items) + "]"),
        () -> values().map(value -> "{\"k😀\" : " + value + ",\"l\":{}}"));
  }

  @Provide
  Arbitrary<String> spaces() {
    return Arbitraries.strings().withChars(" \t\r\n").ofMaxLength(3);
  }
}

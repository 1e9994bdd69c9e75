package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oncegate.core.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Whatever headers come, none that belongs to one connection crosses, and no other is touched. */
class HopByHopFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyHeaders_loseOnlyWhatMustNotCross(byte[] data) {
    List<HeaderField> headers = new ArrayList<>();
    for (String line : new String(data, StandardCharsets.ISO_8859_1).split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.add(new HeaderField(line.substring(0, colon), line.substring(colon + 1)));
      }
    }
    check(headers, HopByHop.request(headers));
    check(headers, HopByHop.answer(headers));
    assertThat(HopByHop.request(HopByHop.request(headers))).isEqualTo(HopByHop.request(headers));
    assertThat(HopByHop.answer(headers))
        .noneMatch(h -> h.name().toLowerCase(Locale.ROOT).startsWith("idempotency-"));
  }

  private static void check(List<HeaderField> in, List<HeaderField> out) {
    Iterator<HeaderField> rest = in.iterator();
    for (HeaderField kept : out) {
      boolean found = false;
      while (!found && rest.hasNext()) {
        found = rest.next().equals(kept);
      }
      assertThat(found).as("%s in its place", kept).isTrue();
      String name = kept.name().toLowerCase(Locale.ROOT);
      assertThat(name).isNotIn("connection", "transfer-encoding", "upgrade", "te", "keep-alive");
      assertThat(in)
          .filteredOn(h -> h.is("Connection"))
          .noneMatch(
              h ->
                  List.of(h.value().toLowerCase(Locale.ROOT).split(",", -1)).stream()
                      .anyMatch(token -> token.strip().equals(name)));
    }
  }
}

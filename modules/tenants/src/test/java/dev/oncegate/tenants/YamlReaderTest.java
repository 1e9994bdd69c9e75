package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlReaderTest {
  private static List<String> findings(String text) {
    return YamlReader.read("t.yaml", text.getBytes(StandardCharsets.UTF_8)).findings().stream()
        .map(Finding::toString)
        .toList();
  }

  private static YamlTree tree(String text) {
    return YamlReader.read("t.yaml", text).tree().orElseThrow();
  }

  @Test
  void trapsOfYaml11_stayTexts() {
    YamlTree tree =
        tree("{a: NO, b: 0644, c: 1:30, d: 0x1F, e: yes, f: 2026-01-01, g: .inf, h: on}");

    assertThat(tree.root().properties()).allMatch(entry -> entry.getValue().isTextual());
    assertThat(tree.at("/b").asText()).isEqualTo("0644");
  }

  @Test
  void scalars_haveTheTypesOfTheJsonSchema() {
    YamlTree tree = tree("{a: 1, b: -1.5, c: true, d: null, e: '1', f: 1e3, g: 200.0, h: }");

    assertThat(tree.at("/a").isInt()).isTrue();
    assertThat(tree.at("/b").asDouble()).isEqualTo(-1.5);
    assertThat(tree.at("/c").isBoolean()).isTrue();
    assertThat(tree.at("/d").isNull()).isTrue();
    assertThat(tree.at("/e").isTextual()).isTrue();
    assertThat(tree.at("/f").asInt()).isEqualTo(1000);
    assertThat(tree.at("/g").isInt()).isTrue();
    assertThat(tree.at("/h").isNull()).isTrue();
  }

  @Test
  void positions_countCharactersFromOne_afterAByteOrderMark() {
    YamlTree tree =
        YamlReader.read("t.yaml", "\uFEFFa: {ü😀: [1, x]}".getBytes(StandardCharsets.UTF_8))
            .tree()
            .orElseThrow();

    assertThat(tree.key("/a")).hasToString("t.yaml:1:1");
    assertThat(tree.key("/a/ü😀")).hasToString("t.yaml:1:5");
    assertThat(tree.value("/a/ü😀/1")).hasToString("t.yaml:1:13");
  }

  @Test
  void duplicateKeys_areReportedWithBothPlaces_onEveryLevel() {
    assertThat(findings("a: 1\nb: {c: 1, c: 2}\na: 3\n"))
        .containsExactly(
            "t.yaml:2:11: b: key \"c\" stands twice (first at 2:5); remove one",
            "t.yaml:3:1: key \"a\" stands twice (first at 1:1); remove one");
  }

  @Test
  void keysThatAreNoTexts_areRefused() {
    assertThat(findings("{404: a, true: b, ~: c, [x]: d, e: 1}"))
        .hasSize(3)
        .first()
        .isEqualTo("t.yaml:1:2: key 404 is no text; write \"404\", or another key");
  }

  @Test
  void secondDocument_isRefused() {
    assertThat(findings("a: 1\n---\nb: 2\n"))
        .containsExactly(
            "t.yaml:2:1: a second document begins here; keep one, others belong into"
                + " tenants.d/*.yaml");
  }

  @Test
  void syntaxErrors_haveAPlaceAndOneLine() {
    assertThat(findings("a: [1, 2\nb: 3\n")).singleElement().asString().startsWith("t.yaml:2:");
    assertThat(findings("a:\n\tb: 1\n"))
        .containsExactly("t.yaml:2:1: a tab cannot indent; use spaces");
    assertThat(findings("a: *nowhere\n")).singleElement().asString().startsWith("t.yaml:1:4: ");
    assertThat(findings("a: \"x\nb: 1")).allMatch(f -> !f.contains("\n"));
    assertThat(findings("a: \u0007")).singleElement().asString().startsWith("t.yaml:1:4: ");
  }

  @Test
  void emptyFile_isRefused() {
    assertThat(findings(""))
        .containsExactly("t.yaml:1:1: the file is empty; begin with \"version: 1\"");
    assertThat(findings("# only a comment\n")).hasSize(1);
  }

  @Test
  void otherEncodings_areRefused() {
    assertThat(YamlReader.read("t.yaml", "a: ü".getBytes(StandardCharsets.ISO_8859_1)).findings())
        .singleElement()
        .hasToString("t.yaml:1:1: the file is not UTF-8 text; save it in that encoding");
    assertThat(YamlReader.read("t.yaml", "a: 1".getBytes(StandardCharsets.UTF_16)).findings())
        .hasSize(1);
  }

  @Test
  void hostileTexts_endInAFinding() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (alias + ", ").repeat(9) + alias + "]\n");
    }
    assertThat(findings(bomb.toString())).hasSize(1);
    StringBuilder slow = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      slow.append(
          "a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + ", *a" + (i - 1) + ", *a"
              + (i - 1) + "]\n");
    }
    assertThat(findings(slow.toString())).hasSize(1);
    assertThat(findings("a: &a [*a]\n")).hasSize(1);
    assertThat(findings("[".repeat(100_000))).hasSize(1);
    assertThat(findings("{a: ".repeat(100_000))).hasSize(1);
    assertThat(findings("a: 1e999"))
        .containsExactly("t.yaml:1:4: a: 1e999 is too large a number; use a smaller one");
    assertThat(findings("a: 99999999999999999999999")).hasSize(1);
    assertThat(findings("a: 1e999999999")).isEmpty(); // a text to us, no number of the format
    assertThat(findings("a: !!java.net.URL [x]")).hasSize(1);
    assertThat(findings("a: !secret x")).hasSize(1);
  }

  @Test
  void mergeKey_isAKeyLikeAnyOther() {
    YamlTree tree = tree("a: &a {x: 1}\nb: {<<: *a, y: 2}\n");

    assertThat(tree.at("/b/x").isMissingNode()).isTrue();
    assertThat(tree.at("/b/<<").isObject()).isTrue();
  }
}

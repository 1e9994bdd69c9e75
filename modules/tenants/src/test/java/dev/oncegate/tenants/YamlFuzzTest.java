package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever bytes stand in a file: a tree, or findings that say why not; never an exception. */
class YamlFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytes_areATreeOrFindings(byte[] data) {
    YamlReader.Read read = YamlReader.read("t.yaml", data);
    if (read.tree().isEmpty()) {
      assertThat(read.findings()).isNotEmpty();
    }
    assertThat(read.findings()).allMatch(finding -> finding.toString().startsWith("t.yaml"));
  }
}

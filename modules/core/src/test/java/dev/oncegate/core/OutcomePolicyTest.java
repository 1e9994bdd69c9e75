package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomePolicyTest {
  @Test
  void builtIn_isTheContractsTable() {
    Set<Integer> refusals = Set.of(401, 407, 408, 423, 425, 429);
    for (int status = 200; status < 600; status++) {
      Outcome expected = status < 500 ? Outcome.TERMINAL : Outcome.TRANSIENT;
      expected = refusals.contains(status) ? Outcome.TRANSIENT : expected;
      expected = status == 502 || status == 504 ? Outcome.AMBIGUOUS : expected;
      assertThat(OutcomePolicy.BUILT_IN.of(status)).as("%d", status).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 99, 100, 199, 600, 999, -1})
  void statusUnknownToHttp_isAmbiguous(int status) {
    assertThat(OutcomePolicy.BUILT_IN.of(status)).isEqualTo(Outcome.AMBIGUOUS);
  }

  @Test
  void exactCode_beatsItsClass() {
    OutcomePolicy policy =
        new OutcomePolicy(Map.of(409, Outcome.TRANSIENT), OutcomePolicy.BUILT_IN.byClass());
    assertThat(policy.of(409)).isEqualTo(Outcome.TRANSIENT);
    assertThat(policy.of(410)).isEqualTo(Outcome.TERMINAL);
    assertThat(policy.of(502)).isEqualTo(Outcome.TRANSIENT);
  }

  @Test
  void terminal5xx_orAMissingClass_breaksAnInvariant() {
    Map<Integer, Outcome> classes = new HashMap<>(OutcomePolicy.BUILT_IN.byClass());
    assertThatThrownBy(() -> new OutcomePolicy(Map.of(500, Outcome.TERMINAL), classes))
        .isInstanceOf(BrokenInvariant.class);
    Map<Integer, Outcome> terminal = new HashMap<>(classes);
    terminal.put(5, Outcome.TERMINAL);
    assertThatThrownBy(() -> new OutcomePolicy(Map.of(), terminal))
        .isInstanceOf(BrokenInvariant.class);
    classes.remove(3);
    assertThatThrownBy(() -> new OutcomePolicy(Map.of(), classes))
        .isInstanceOf(BrokenInvariant.class);
  }
}

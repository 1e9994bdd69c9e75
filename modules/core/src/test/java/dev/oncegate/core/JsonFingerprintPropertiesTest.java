package dev.oncegate.core;

import static dev.oncegate.core.Requests.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.CanonicalProjection.Projected;
import dev.oncegate.core.FingerprintPolicy.BodySelection;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.erdtman.jcs.JsonCanonicalizer;

/** What must hold for all JSON bodies, whatever their text. */
class JsonFingerprintPropertiesTest {
  private static final FingerprintPolicy DOUBLES =
      policy(new BodySelection.Whole(), Numbers.IEEE754, Strings.AS_IS, Map.of());

  @Property(tries = 2000)
  void c30_c31_oneTree_hasOneProjectionHoweverSpelled(@ForAll long seed) {
    Random random = new Random(seed);
    Object tree = JsonTrees.tree(random, 4);
    Projected one = Requests.project(JsonTrees.spelled(tree, random));
    assertThat(one.fallback()).isEmpty();
    assertThat(Requests.project(JsonTrees.spelled(tree, random))).isEqualTo(one);
  }

  @Property(tries = 4000)
  void anySemanticChange_changesTheProjection(@ForAll long seed) {
    Random random = new Random(seed);
    Object tree = JsonTrees.tree(random, 4);
    Object changed = JsonTrees.changed(tree, random);
    String one = JsonTrees.spelled(tree, random);
    String other = JsonTrees.spelled(changed, random);
    assertThat(Requests.project(one).equals(Requests.project(other)))
        .as("%s and %s", one, other)
        .isEqualTo(Objects.equals(tree, changed));
    assertThat(changed).isNotEqualTo(tree);
  }

  @Property(tries = 4000)
  void twoTrees_haveOneProjectionExactlyWhenTheyAreEqual(@ForAll long seed) {
    Random random = new Random(seed);
    Object one = JsonTrees.tree(random, 1);
    Object other = JsonTrees.tree(random, 1);
    assertThat(
            Requests.project(JsonTrees.spelled(one, random))
                .equals(Requests.project(JsonTrees.spelled(other, random))))
        .as("%s and %s", one, other)
        .isEqualTo(Objects.equals(one, other));
  }

  /** RFC 8785 is the other party's opinion of what two bodies of doubles have in common. */
  @Property(tries = 3000)
  void ieee754_agreesWithRfc8785(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Object tree = JsonTrees.tree(random, 3);
    Object changed = JsonTrees.changed(tree, random);
    // Wrapped, since that library refuses a scalar at the root.
    String one = JsonTrees.spelled(List.of(orText(tree)), random);
    String other = JsonTrees.spelled(List.of(orText(changed)), random);
    boolean same =
        new JsonCanonicalizer(one)
            .getEncodedString()
            .equals(new JsonCanonicalizer(other).getEncodedString());
    assertThat(Requests.project(DOUBLES, one).equals(Requests.project(DOUBLES, other)))
        .as("%s and %s", one, other)
        .isEqualTo(same);
  }

  @Property(tries = 3000)
  void include_comparesTheChosenPartsAndNothingElse(@ForAll long seed) {
    Random random = new Random(seed);
    FingerprintPolicy chosen = policy(Requests.include("/a", "/b/0", "/ab/a"));
    Object one = JsonTrees.tree(random, 3);
    Object other = JsonTrees.changed(one, random);
    if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      Projected first = Requests.project(chosen, JsonTrees.spelled(a, random));
      Projected second = Requests.project(chosen, JsonTrees.spelled(b, random));
      boolean whole = first.fallback().isPresent() && second.fallback().isPresent();
      boolean same = whole ? a.equals(b) : parts(a).equals(parts(b));
      assertThat(first.equals(second)).as("%s and %s", a, b).isEqualTo(same);
    }
  }

  /** The chosen parts by the plain reading of the pointers. */
  private static List<Object> parts(Map<?, ?> body) {
    return List.of(part(body, "a"), part(body.get("b"), "0"), part(body.get("ab"), "a"));
  }

  private static Object part(Object container, String token) {
    if (container instanceof Map<?, ?> map && map.containsKey(token)) {
      return List.of("member", orText(map.get(token)));
    }
    if (container instanceof List<?> list && token.equals("0") && !list.isEmpty()) {
      return List.of("element", orText(list.get(0)));
    }
    return "missing";
  }

  private static Object orText(Object value) {
    return value == null ? "the null" : value;
  }
}

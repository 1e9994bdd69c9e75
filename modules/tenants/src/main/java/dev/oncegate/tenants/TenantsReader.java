package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps from bytes to policies. A step starts only when the one before it found nothing that
 * refuses the file; each reports everything it finds. What is not supported yet is said together
 * with what makes no sense, so that one run shows both.
 */
final class TenantsReader {
  private static final SchemaCheck SCHEMA = SchemaCheck.load();
  private static final PolicyMerge MERGE = PolicyMerge.load();

  private final TenantsLoader.Options options;

  TenantsReader(TenantsLoader.Options options) {
    this.options = options;
  }

  /**
   * Reads files.
   *
   * @param sources the main file first
   */
  TenantsLoader.Result read(List<TenantsLoader.Source> sources) {
    List<Finding> findings = new ArrayList<>();
    List<YamlTree> trees = shaped(sources, findings);
    return findings.isEmpty() ? judge(trees) : new TenantsLoader.Refused(Finding.sorted(findings));
  }

  /** The first two steps: trees of the right shape, or findings. */
  private static List<YamlTree> shaped(List<TenantsLoader.Source> sources, List<Finding> findings) {
    List<YamlTree> trees = new ArrayList<>();
    for (TenantsLoader.Source source : sources) {
      YamlReader.Read read = YamlReader.read(source.file(), source.bytes());
      read.tree().ifPresent(trees::add);
      findings.addAll(read.findings());
    }
    if (findings.isEmpty()) {
      trees.forEach(tree -> findings.addAll(SCHEMA.check(tree)));
    }
    return trees;
  }

  /** Explains a route, also of a file that is refused for what its policies mean. */
  Explanation.Result explain(List<TenantsLoader.Source> sources, String tenant, String route) {
    List<Finding> shape = new ArrayList<>();
    List<YamlTree> trees = shaped(sources, shape);
    if (shape.isEmpty()) {
      // Nothing can be derived from numbers that do not fit.
      Findings ranges = new Findings();
      trees.forEach(tree -> RangeCheck.check(tree, ranges));
      shape.addAll(ranges.all());
    }
    if (!shape.isEmpty()) {
      return new Explanation.Refused(Finding.sorted(shape));
    }
    TenantsLoader.Result judged = judge(trees);
    return Explanation.of(
        ReadTenant.all(trees.get(0), trees, MERGE),
        tenant,
        route,
        judged instanceof TenantsLoader.Refused refused
            ? refused.findings()
            : ((TenantsLoader.Loaded) judged).remarks());
  }

  private TenantsLoader.Result judge(List<YamlTree> trees) {
    YamlTree main = trees.get(0);
    List<Finding> findings = new ArrayList<>();
    trees.forEach(tree -> findings.addAll(SupportCheck.check(tree)));
    for (YamlTree added : trees.subList(1, trees.size())) {
      JsonNode defaults = added.at("/defaults");
      if (!defaults.isMissingNode()) {
        findings.add(
            Finding.error(
                added.key("/defaults"),
                "defaults",
                "only the main file has defaults; move this to tenants[].defaults"));
      }
    }
    List<ReadTenant> tenants = ReadTenant.all(main, trees, MERGE);
    if (tenants.isEmpty()) {
      findings.add(
          Finding.error(
              main.key("/tenants"),
              "tenants",
              "no tenant here and none in tenants.d/*.yaml; add one"));
    }
    SemanticCheck.Judged judged = SemanticCheck.check(trees, tenants, options);
    findings.addAll(judged.findings());
    List<Finding> sorted = Finding.sorted(findings);
    if (sorted.stream().anyMatch(Finding::refuses)) {
      return new TenantsLoader.Refused(sorted);
    }
    List<ReadRoute> keyed =
        tenants.stream().flatMap(tenant -> tenant.keyedRoutes().stream()).toList();
    PolicyBuilder builder = new PolicyBuilder(main, judged.secrets().texts());
    return new TenantsLoader.Loaded(
        tenants.stream().map(builder::tenant).toList(),
        sorted,
        keyed.stream().map(ProtocolDocument::of).toList(),
        keyed.stream().map(DerivedRetention::of).toList(),
        keyed.stream().map(EffectiveWay::of).toList(),
        judged.secrets().kept());
  }
}

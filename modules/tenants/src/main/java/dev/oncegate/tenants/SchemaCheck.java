package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.oncegate.core.BrokenInvariant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the shape of a file against {@code tenants.schema.json} (draft-07). A validator reports
 * one fault many times, once for each branch that it tried; here one fault is one finding.
 */
final class SchemaCheck {
  private static final String RESOURCE = "tenants.schema.json";

  private final JsonNode document;
  private final Schema schema;

  private SchemaCheck(JsonNode document, Schema schema) {
    this.document = document;
    this.schema = schema;
  }

  /** Reads the schema from the class path. */
  static SchemaCheck load() {
    JsonNode document;
    try {
      document = new ObjectMapper().readTree(text());
    } catch (IOException e) {
      throw new BrokenInvariant("the schema on the class path cannot be read");
    }
    SchemaRegistryConfig config =
        SchemaRegistryConfig.builder().pathType(PathType.JSON_POINTER).build();
    SchemaRegistry registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_7, builder -> builder.schemaRegistryConfig(config));
    return new SchemaCheck(document, registry.getSchema(document));
  }

  /** The schema as it stands on the class path. */
  static String text() {
    try (InputStream in = SchemaCheck.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new BrokenInvariant("the schema is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BrokenInvariant("the schema on the class path cannot be read");
    }
  }

  List<Finding> check(YamlTree tree) {
    List<Fault> faults = schema.validate(tree.root()).stream().map(this::fault).toList();
    Set<String> undecided = routesWithoutMode(faults);
    Set<String> forbidden = new HashSet<>();
    for (Fault fault : faults) {
      if (fault.keyword().equals("false")) {
        forbidden.add(fault.pointer());
      }
    }
    SchemaMessages messages = new SchemaMessages(document, tree);
    Set<String> misspelt = messages.missingButMisspelt(faults);
    Set<String> seen = new HashSet<>();
    List<Finding> findings = new ArrayList<>();
    for (Fault fault : faults) {
      if (isInside(fault.pointer(), forbidden)
          || (forbidden.contains(fault.pointer()) && !fault.keyword().equals("false"))
          || dependsOnMode(fault, undecided)
          || dependsOnShape(fault, faults)
          || (fault.keyword().equals("required")
              && misspelt.contains(Pointers.child(fault.pointer(), fault.property())))) {
        continue;
      }
      // The first fault of a place says it; what follows are other branches of the same rule.
      if (seen.add(fault.place())) {
        findings.add(messages.finding(fault, faults));
      }
    }
    return Finding.sorted(findings);
  }

  /**
   * One error of the validator.
   *
   * @param pointer the value at fault; of a choice between forms, the value that has to choose
   * @param inner the value that the validator named
   * @param rule JSON Pointer of the keyword in the schema
   * @param property the key that is missing, unknown or malformed; may be empty
   */
  record Fault(String pointer, String inner, String keyword, String rule, String property) {
    String place() {
      return property.isEmpty() || isChoice() ? pointer : pointer + " " + property;
    }

    boolean isChoice() {
      return rule.contains("/anyOf") || rule.contains("/oneOf");
    }
  }

  private Fault fault(Error error) {
    String inner = error.getInstanceLocation().toString();
    String rule = error.getSchemaLocation().getFragment().toString();
    String property = Optional.ofNullable(error.getProperty()).orElse("");
    String pointer = inner;
    if (rule.startsWith("/definitions/principal/")) {
      pointer = upTo(inner, "/principal");
    } else if (rule.startsWith("/definitions/fingerprint/properties/query/")) {
      pointer = upTo(inner, "/query");
    }
    return new Fault(pointer, inner, error.getKeyword(), rule, property);
  }

  private static String upTo(String pointer, String part) {
    int end = pointer.indexOf(part);
    return end < 0 ? pointer : pointer.substring(0, end + part.length());
  }

  /** What a route's mode allows cannot be judged while the mode itself is wrong. */
  private static Set<String> routesWithoutMode(List<Fault> faults) {
    Set<String> routes = new HashSet<>();
    for (Fault fault : faults) {
      if (fault.rule().equals("/definitions/route/properties/mode/enum")) {
        routes.add(Pointers.parent(fault.pointer()));
      }
      if (fault.rule().equals("/definitions/route/required") && fault.property().equals("mode")) {
        routes.add(fault.pointer());
      }
    }
    return routes;
  }

  private static boolean dependsOnMode(Fault fault, Set<String> undecided) {
    return fault.rule().startsWith("/definitions/route/allOf/")
        && undecided.stream()
            .anyMatch(
                route -> fault.pointer().equals(route) || fault.pointer().startsWith(route + "/"));
  }

  /** What a tenant's parts ask of each other cannot be judged while one of them has no shape. */
  private static boolean dependsOnShape(Fault fault, List<Fault> faults) {
    if (!fault.rule().startsWith("/definitions/tenant/allOf/")) {
      return false;
    }
    String[] tokens = fault.pointer().split("/", 4);
    String tenant = "/" + tokens[1] + "/" + tokens[2];
    return faults.stream()
        .anyMatch(
            other ->
                other.keyword().equals("type") && Pointers.parent(other.pointer()).equals(tenant));
  }

  private static boolean isInside(String pointer, Set<String> forbidden) {
    for (String at = pointer; !at.isEmpty(); ) {
      at = Pointers.parent(at);
      if (forbidden.contains(at)) {
        return true;
      }
    }
    return false;
  }
}

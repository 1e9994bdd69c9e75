package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Says what a fault of the shape means to the person who wrote the file. */
final class SchemaMessages {
  private final JsonNode schema;
  private final YamlTree tree;

  SchemaMessages(JsonNode schema, YamlTree tree) {
    this.schema = schema;
    this.tree = tree;
  }

  /** Keys that are missing only because they stand there misspelt; the misspelling is reported. */
  Set<String> missingButMisspelt(List<SchemaCheck.Fault> faults) {
    Set<String> misspelt = new HashSet<>();
    for (SchemaCheck.Fault fault : faults) {
      if (fault.keyword().equals("additionalProperties")) {
        meant(fault).ifPresent(key -> misspelt.add(Pointers.child(fault.inner(), key)));
      }
    }
    return misspelt;
  }

  Finding finding(SchemaCheck.Fault fault, List<SchemaCheck.Fault> all) {
    if (fault.rule().startsWith("/definitions/principal/")) {
      return principal(fault, all);
    }
    return plain(fault);
  }

  private Finding plain(SchemaCheck.Fault fault) {
    String pointer = fault.pointer();
    switch (fault.keyword()) {
      case "additionalProperties":
        return unknownKey(fault);
      case "required":
        return Finding.error(tree.key(pointer), tree.where(pointer), missing(fault));
      case "dependencies":
        return dependency(fault);
      case "propertyNames":
        return Finding.error(
            tree.key(Pointers.child(pointer, fault.property())),
            tree.where(pointer),
            badName(fault));
      case "uniqueItems":
        return repeated(pointer);
      case "false":
        return Finding.error(
            tree.key(pointer), tree.where(pointer), SchemaForbidden.message(fault.rule(), pointer));
      default:
        return Finding.error(
            tree.value(pointer),
            tree.where(pointer),
            new SchemaValueMessages(schema).message(fault, tree.at(pointer)));
    }
  }

  private Finding unknownKey(SchemaCheck.Fault fault) {
    String remedy = "remove it, or begin it with x- if it is a note";
    if (fault.property().equals("<<")) {
      remedy = "YAML 1.2 merges no maps, write the keys out";
    }
    return Finding.error(
        tree.key(Pointers.child(fault.inner(), fault.property())),
        tree.where(fault.inner()),
        "unknown key "
            + Shown.quoted(fault.property())
            + "; "
            + meant(fault).map(key -> "did you mean " + Shown.quoted(key) + "?").orElse(remedy));
  }

  private Optional<String> meant(SchemaCheck.Fault fault) {
    JsonNode known = schema.at(Pointers.parent(fault.rule())).path("properties");
    JsonNode written = tree.at(fault.inner());
    List<String> candidates = new ArrayList<>();
    known
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!written.has(name)) {
                candidates.add(name);
              }
            });
    return Spelling.nearest(fault.property(), candidates);
  }

  private String missing(SchemaCheck.Fault fault) {
    if (fault.rule().startsWith("/definitions/tenantMatch/anyOf")) {
      return "this entry fits nothing; add host, pathPrefix, header or apiKey";
    }
    String key = fault.property();
    if (fault.rule().startsWith("/definitions/tenant/allOf/0/")) {
      return "no principal, so nobody is said to own a key; write \"principal: shared\" for one key"
          + " space, or give every match entry an apiKey";
    }
    if (fault.rule().startsWith("/definitions/tenant/allOf/1/")) {
      return "principal is apiKey and this entry has none; add apiKey, or use another principal";
    }
    return "key " + Shown.quoted(key) + " is missing; add it";
  }

  private Finding dependency(SchemaCheck.Fault fault) {
    String pointer = Pointers.child(fault.pointer(), fault.property());
    StringBuilder needed = new StringBuilder();
    for (JsonNode name : schema.at(fault.rule()).path(fault.property())) {
      needed.append(needed.isEmpty() ? "" : " and ").append(name.asText());
    }
    return Finding.error(
        tree.key(pointer),
        tree.where(fault.pointer()),
        fault.property() + " needs " + needed + " beside it; add " + needed);
  }

  private static String badName(SchemaCheck.Fault fault) {
    return fault.rule().contains("/case/")
        ? Shown.quoted(fault.property())
            + " is no JSON Pointer; begin it with a slash, such as /name"
        : Shown.quoted(fault.property()) + " is no header name; use letters, digits and dashes";
  }

  private Finding repeated(String pointer) {
    JsonNode list = tree.at(pointer);
    for (int later = 1; later < list.size(); later++) {
      for (int first = 0; first < later; first++) {
        if (list.get(first).equals(list.get(later))) {
          Position at = tree.value(Pointers.child(pointer, later));
          Position before = tree.value(Pointers.child(pointer, first));
          return Finding.error(
              at,
              tree.where(pointer),
              Shown.value(list.get(later))
                  + " stands twice (first at "
                  + before.seenFrom(at)
                  + "); remove one");
        }
      }
    }
    return Finding.error(
        tree.value(pointer), tree.where(pointer), "a value stands twice; remove one");
  }

  /** Of the forms of a principal, judge the one that was begun. */
  private Finding principal(SchemaCheck.Fault fault, List<SchemaCheck.Fault> all) {
    JsonNode written = tree.at(fault.pointer());
    List<String> forms = List.of("jwt", "header", "boundTo");
    List<String> begun = forms.stream().filter(written::has).toList();
    if (begun.size() == 1) {
      String branch = "/definitions/principal/oneOf/" + (forms.indexOf(begun.get(0)) + 1) + "/";
      for (SchemaCheck.Fault candidate : all) {
        if (candidate.pointer().equals(fault.pointer()) && candidate.rule().startsWith(branch)
            || candidate.inner().startsWith(fault.pointer() + "/")
                && candidate.rule().startsWith("/definitions/header")) {
          return plain(
              new SchemaCheck.Fault(
                  candidate.inner(),
                  candidate.inner(),
                  candidate.keyword(),
                  candidate.rule(),
                  candidate.property()));
        }
      }
    }
    return Finding.error(
        tree.value(fault.pointer()),
        tree.where(fault.pointer()),
        (written.isTextual() ? Shown.quoted(written.asText()) : Shown.value(written))
            + " is no principal; write shared or apiKey");
  }
}

package dev.oncegate.tenants;

import dev.oncegate.core.BrokenInvariant;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What holds on one route, and where each value of it was written ({@code explain}). */
public final class Explanation {
  private Explanation() {}

  /** What became of the question. */
  public sealed interface Result {}

  /**
   * The route's policy.
   *
   * @param lines to print as they are
   * @param findings of the whole file, sorted; where one refuses it, the policy is not served
   */
  public record Explained(List<String> lines, List<Finding> findings) implements Result {
    public Explained {
      lines = List.copyOf(lines);
      findings = List.copyOf(findings);
    }
  }

  /**
   * There is no such tenant or route.
   *
   * @param message which, and what was probably meant
   */
  public record Unknown(String message) implements Result {}

  /** The files have no shape in which policies could be merged. */
  public record Refused(List<Finding> findings) implements Result {
    public Refused {
      findings = List.copyOf(findings);
    }
  }

  /**
   * Explains a route. Blocks while it reads: not for event loops. Secrets need not be there.
   *
   * @param file the main file, or a folder with {@code tenants.yaml} in it
   */
  public static Result of(Path file, String tenant, String route) {
    SourceFiles found = SourceFiles.read(file);
    if (found instanceof SourceFiles.Unreadable unreadable) {
      return new Refused(List.of(unreadable.finding()));
    } else if (found instanceof SourceFiles.Read read) {
      return new TenantsReader(TenantsLoader.Options.of(TenantsLoader.Mode.VALIDATE))
          .explain(read.sources(), tenant, route);
    }
    throw new BrokenInvariant("files are read or unreadable");
  }

  static Result of(List<ReadTenant> tenants, String tenant, String route, List<Finding> findings) {
    List<String> ids = tenants.stream().map(ReadTenant::id).toList();
    Optional<ReadTenant> asked = tenants.stream().filter(t -> t.id().equals(tenant)).findFirst();
    if (asked.isEmpty()) {
      return new Unknown(unknown("tenant", tenant, ids));
    }
    List<ReadRoute> routes = asked.get().routes();
    return routes.stream()
        .filter(r -> r.id().equals(route))
        .findFirst()
        .<Result>map(r -> new Explained(ExplainedLines.of(r), findings))
        .orElseGet(
            () ->
                new Unknown(
                    unknown(
                        "route of " + tenant, route, routes.stream().map(ReadRoute::id).toList())));
  }

  private static String unknown(String what, String id, List<String> ids) {
    return "no "
        + what
        + " is called "
        + Shown.quoted(id)
        + Spelling.nearest(id, ids)
            .map(near -> "; did you mean " + Shown.quoted(near) + "?")
            .orElse(ids.isEmpty() ? "; there is none" : "; there are: " + String.join(", ", ids));
  }
}

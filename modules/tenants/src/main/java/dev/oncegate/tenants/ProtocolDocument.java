package dev.oncegate.tenants;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import java.time.Duration;

/**
 * A route's policy as the archive keeps it: the merged policy in the words of the file, and the
 * tenant's {@code upstream.timeouts}, from which retention and quarantine follow. All of the policy
 * is kept, also what this release does not use. Secrets stand in it as references.
 */
public final class ProtocolDocument {
  /**
   * Of the document around the policy. Members are only ever added, with a meaning where they are
   * not there, so that nodes of two releases read each other's documents.
   */
  private static final int FORM = 1;

  private static final PolicyMerge MERGE = PolicyMerge.load();
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProtocolDocument() {}

  /** A route's policy under its version. */
  static ArchivedPolicy of(ReadRoute route) {
    ExchangeTimes times = ExchangeTimes.of(route.tenant());
    return new ArchivedPolicy(
        ProtocolBuilder.protocol(route.merged(), times).version(),
        route.tenant().id(),
        route.id(),
        render(route.merged(), times));
  }

  static String render(Merged merged, ExchangeTimes times) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("form", FORM);
    document.put("totalMillis", times.total().toMillis());
    document.put("abandonMillis", times.abandon().toMillis());
    document.set("policy", merged.values());
    return document.toString();
  }

  /**
   * The protocol in a document.
   *
   * @param version the one that it was archived under: a later release may compute another
   * @throws BrokenInvariant where the document is none of this class
   */
  public static RoutePolicy.Protocol parse(String version, String document) {
    JsonNode read;
    try {
      read = JSON.readTree(document);
    } catch (JsonProcessingException e) {
      throw new BrokenInvariant("an archived policy is no JSON");
    }
    BrokenInvariant.require(
        read.path("form").asInt() == FORM
            && read.path("totalMillis").isIntegralNumber()
            && read.path("policy").isObject(),
        "an archived policy has another form");
    Duration total = Duration.ofMillis(read.path("totalMillis").asLong());
    JsonNode abandon = read.path("abandonMillis");
    return ProtocolBuilder.protocol(
        version,
        MERGE.archived(read.path("policy")),
        abandon.isIntegralNumber()
            ? new ExchangeTimes(total, Duration.ofMillis(abandon.asLong()))
            : ExchangeTimes.of(total));
  }
}

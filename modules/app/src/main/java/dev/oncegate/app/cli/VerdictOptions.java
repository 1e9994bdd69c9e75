package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a person says, and why. */
final class VerdictOptions {
  @Option(
      names = "--verdict",
      required = true,
      paramLabel = "VERDICT",
      completionCandidates = Verdicts.class,
      description =
          "applied: the effect is there, and retries get its answer. notApplied: there is none and"
              + " none can still appear, and the key can be claimed again.")
  @SuppressWarnings("NullAway.Init")
  private String verdict;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "How you know; it stays in the record's timeline.")
  @SuppressWarnings("NullAway.Init")
  private String reason;

  @Option(names = "--by", paramLabel = "NAME", description = "Who says so. Built-in: your user.")
  private @Nullable String by;

  @Option(
      names = "--force",
      description =
          "With notApplied: does not wait for the quarantine. A request that is still on its way"
              + " then makes the effect happen twice.")
  private boolean force;

  @Option(
      names = "--response",
      paramLabel = "FILE",
      description =
          "With applied, for one record: the answer for retries, a JSON file {\"status\": 201,"
              + " \"headers\": {...}, \"body\": \"...\"} (or bodyBase64). Without it they are told"
              + " that it was executed and is not kept.")
  private @Nullable Path response;

  static final class Verdicts extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Verdicts() {
      super(List.of("applied", "notApplied"));
    }
  }

  boolean hasResponse() {
    return response != null;
  }

  /** The part of an order that does not say on what. */
  JsonObject order() {
    if (!new Verdicts().contains(verdict)) {
      throw StartFailure.invalid("--verdict is '" + verdict + "'; give applied or notApplied");
    }
    JsonObject order =
        new JsonObject()
            .put("verdict", verdict)
            .put("reason", reason)
            .put("by", by == null ? System.getProperty("user.name", "operator") : by);
    if (force) {
      order.put("force", true);
    }
    if (response != null) {
      order.put("response", read(response));
    }
    return order;
  }

  /** Also said to the person who is asked whether to go on. */
  String text() {
    return verdict + (force ? ", by force: without waiting for the quarantine" : "");
  }

  private static JsonObject read(Path file) {
    try {
      return new JsonObject(Files.readString(file));
    } catch (IOException e) {
      throw StartFailure.invalid("--response " + file + " cannot be read", e);
    } catch (DecodeException | ClassCastException e) {
      throw StartFailure.invalid("--response " + file + " is no JSON object", e);
    }
  }
}

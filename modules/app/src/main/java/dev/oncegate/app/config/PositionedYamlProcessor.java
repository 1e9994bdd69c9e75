package dev.oncegate.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.app.StartFailure;
import dev.oncegate.tenants.Finding;
import dev.oncegate.tenants.Position;
import dev.oncegate.tenants.YamlReader;
import dev.oncegate.tenants.YamlTree;
import io.vertx.config.spi.ConfigProcessor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads YAML 1.2 for vertx-config, whose own processor reads YAML 1.1 and forgets where a value
 * stood (libraries 3.6). The result has one entry per leaf: its JSON Pointer, with the value and
 * both positions. So stores merge by leaf, and what is left of a file still knows its place.
 */
public final class PositionedYamlProcessor implements ConfigProcessor {
  /** Name of the format in a store's options. */
  static final String FORMAT = "positioned-yaml";

  /** What a file store names its file by. */
  static final String PATH = "path";

  /** For the service loader. */
  public PositionedYamlProcessor() {}

  @Override
  public String name() {
    return FORMAT;
  }

  @Override
  public Future<JsonObject> process(Vertx vertx, JsonObject configuration, Buffer input) {
    if (isEmpty(input)) {
      return Future.succeededFuture(new JsonObject());
    }
    YamlReader.Read read = YamlReader.read(configuration.getString(PATH, ""), input.getBytes());
    Optional<YamlTree> tree = read.tree();
    if (tree.isEmpty()) {
      return Future.failedFuture(StartFailure.refused(read.findings()));
    }
    if (!tree.get().root().isObject()) {
      return Future.failedFuture(
          StartFailure.refused(
              List.of(
                  Finding.error(
                      tree.get().value(""), "", "the file is no map; write keys with values"))));
    }
    JsonObject leaves = new JsonObject();
    collect(tree.get(), "", tree.get().root(), leaves);
    return Future.succeededFuture(leaves);
  }

  /** A file of notes alone says nothing, and is no mistake. */
  private static boolean isEmpty(Buffer input) {
    return input
        .toString(StandardCharsets.UTF_8)
        .lines()
        .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"));
  }

  private static void collect(YamlTree tree, String pointer, JsonNode node, JsonObject leaves) {
    if (!node.isObject() || (node.isEmpty() && !pointer.isEmpty())) {
      leaves.put(
          pointer,
          new JsonObject()
              .put("value", node.isObject() ? null : value(node))
              .put("at", json(tree.value(pointer)))
              .put("keys", keys(tree, pointer)));
      return;
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String token = entry.getKey().replace("~", "~0").replace("/", "~1");
      collect(tree, pointer + "/" + token, entry.getValue(), leaves);
    }
  }

  private static @Nullable Object value(JsonNode node) {
    if (node.isTextual()) {
      return node.asText();
    } else if (node.isBoolean()) {
      return node.asBoolean();
    } else if (node.isNumber()) {
      return node.numberValue();
    } else if (node.isArray()) {
      return new JsonArray(node.toString());
    }
    return null;
  }

  /** Where each name on the way to a leaf stands. */
  private static JsonArray keys(YamlTree tree, String pointer) {
    JsonArray keys = new JsonArray();
    for (int end = pointer.indexOf('/', 1); end > 0; end = pointer.indexOf('/', end + 1)) {
      keys.add(json(tree.key(pointer.substring(0, end))));
    }
    return keys.add(json(tree.key(pointer)));
  }

  private static JsonObject json(Position at) {
    return new JsonObject()
        .put("file", at.file())
        .put("line", at.line())
        .put("column", at.column());
  }

  /** Back from what {@link #process} made, or from a layer that has no positions. */
  static Map<String, Given> given(JsonObject merged) {
    return merged.stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry -> {
                  JsonObject leaf = (JsonObject) entry.getValue();
                  return leaf.containsKey("from")
                      ? Given.by(leaf.getString("from"), leaf.getString("value"))
                      : inFile(leaf);
                }));
  }

  private static Given inFile(JsonObject leaf) {
    Position at = position(leaf.getJsonObject("at"));
    return new Given(
        leaf.getValue("value"),
        at.file(),
        Optional.of(at),
        leaf.getJsonArray("keys").stream().map(key -> position((JsonObject) key)).toList());
  }

  private static Position position(JsonObject at) {
    return new Position(at.getString("file"), at.getInteger("line"), at.getInteger("column"));
  }
}

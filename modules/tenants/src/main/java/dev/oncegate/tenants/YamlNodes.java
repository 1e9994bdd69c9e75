package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oncegate.core.BrokenInvariant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Turns composed YAML nodes into values, and remembers where each of them stood. */
final class YamlNodes {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Set<Tag> KNOWN =
      Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ, Tag.MERGE);
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?");

  /** Values in all, after aliases; one alias of an alias of an alias grows fast. */
  private static final int MOST_VALUES = 500_000;

  private final String file;
  private final Map<String, Position> values = new HashMap<>();
  private final Map<String, Position> keys = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private int count;

  /** Named only when the whole tree is there, since its ids name the places. */
  private record Problem(Position at, String pointer, String message) {}

  YamlNodes(String file) {
    this.file = file;
  }

  YamlTree tree(Node node) {
    JsonNode root = convert(node, "", new ArrayList<>());
    return new YamlTree(file, root, values, keys);
  }

  List<Finding> findings(YamlTree tree) {
    return Finding.sorted(
        problems.stream().map(p -> Finding.error(p.at, tree.where(p.pointer), p.message)).toList());
  }

  private JsonNode convert(Node node, String pointer, List<Node> ancestors) {
    values.put(pointer, position(node));
    if (++count > MOST_VALUES) {
      if (count == MOST_VALUES + 1) {
        problem(
            node, pointer, "aliases expand to more than " + MOST_VALUES + " values; write less");
      }
      return JSON.nullNode();
    }
    if (ancestors.stream().anyMatch(ancestor -> ancestor == node)) {
      problem(node, pointer, "an alias leads back to the value that holds it; write it out");
      return JSON.nullNode();
    }
    if (!KNOWN.contains(node.getTag())) {
      problem(
          node,
          pointer,
          "tag " + Shown.text(node.getTag().getValue()) + " has no meaning here; remove it");
      return JSON.nullNode();
    }
    if (node instanceof ScalarNode scalar) {
      return scalar(scalar, pointer);
    }
    ancestors.add(node);
    JsonNode value;
    if (node instanceof MappingNode mapping) {
      value = mapping(mapping, pointer, ancestors);
    } else if (node instanceof SequenceNode sequence) {
      value = sequence(sequence, pointer, ancestors);
    } else {
      throw new BrokenInvariant("a composed node is a scalar, a list or a map");
    }
    ancestors.remove(ancestors.size() - 1);
    return value;
  }

  private ObjectNode mapping(MappingNode mapping, String pointer, List<Node> ancestors) {
    ObjectNode object = JSON.objectNode();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode keyNode)) {
        problem(entry.getKeyNode(), pointer, "a key is a list or a map; write a text");
        continue;
      }
      String key = keyNode.getValue();
      if (!keyNode.getTag().equals(Tag.STR) && !keyNode.getTag().equals(Tag.MERGE)) {
        problem(
            keyNode,
            pointer,
            "key "
                + Shown.text(key)
                + " is no text; write "
                + Shown.quoted(key)
                + ", or another key");
        continue;
      }
      String child = Pointers.child(pointer, key);
      if (object.has(key)) {
        Position first = keys.getOrDefault(child, position(mapping));
        problem(
            keyNode,
            pointer,
            "key "
                + Shown.quoted(key)
                + " stands twice (first at "
                + first.seenFrom(position(keyNode))
                + "); remove one");
        continue;
      }
      keys.put(child, position(keyNode));
      object.set(key, convert(entry.getValueNode(), child, ancestors));
    }
    return object;
  }

  private ArrayNode sequence(SequenceNode sequence, String pointer, List<Node> ancestors) {
    ArrayNode array = JSON.arrayNode();
    for (Node item : sequence.getValue()) {
      array.add(convert(item, Pointers.child(pointer, array.size()), ancestors));
    }
    return array;
  }

  private JsonNode scalar(ScalarNode scalar, String pointer) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      return JSON.nullNode();
    }
    if (tag.equals(Tag.BOOL) && (text.equals("true") || text.equals("false"))) {
      return JSON.booleanNode(text.equals("true"));
    }
    if (tag.equals(Tag.INT) && INTEGER.matcher(text).matches() || isNumber(tag, text)) {
      return number(scalar, pointer, text);
    }
    // Infinity and not-a-number end here too: no key of the format takes them, and the schema says
    // so about the text.
    return JSON.textNode(text);
  }

  private static boolean isNumber(Tag tag, String text) {
    return (tag.equals(Tag.FLOAT) || tag.equals(Tag.INT)) && NUMBER.matcher(text).matches();
  }

  /** Numbers that could make later arithmetic expensive or infinite are refused here. */
  private JsonNode number(ScalarNode scalar, String pointer, String text) {
    if (INTEGER.matcher(text).matches() && text.length() <= 18) {
      long value = Long.parseLong(text);
      return value == (int) value ? JSON.numberNode((int) value) : JSON.numberNode(value);
    }
    double value = Double.parseDouble(text);
    if (Math.abs(value) > 1e15) {
      problem(scalar, pointer, Shown.text(text) + " is too large a number; use a smaller one");
      return JSON.numberNode(1);
    }
    // 200.0 is 200 to a JSON schema, and so to everything after it
    return value == (int) value ? JSON.numberNode((int) value) : JSON.numberNode(value);
  }

  private void problem(Node node, String pointer, String message) {
    problems.add(new Problem(position(node), pointer, message));
  }

  private Position position(Node node) {
    return node.getStartMark()
        .map(mark -> YamlReader.position(file, mark))
        .orElse(new Position(file, 1, 1));
  }
}

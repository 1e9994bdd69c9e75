package dev.oncegate.tenants;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads YAML 1.2 text into a {@link YamlTree}. Everything that YAML alone can object to ends here.
 */
public final class YamlReader {
  /** Largest file in bytes; thousands of tenants fit. */
  static final int LARGEST_FILE = 4 * 1024 * 1024;

  /** Deepest nesting; the format itself needs about ten. */
  static final int DEEPEST = 50;

  private static final int MOST_ALIASES = 50;

  private YamlReader() {}

  /** The tree, or why there is none: exactly one of the two is there. */
  public record Read(Optional<YamlTree> tree, List<Finding> findings) {
    public Read {
      findings = List.copyOf(findings);
    }

    static Read refused(Finding finding) {
      return new Read(Optional.empty(), List.of(finding));
    }
  }

  /** Reads UTF-8 bytes, with or without a byte-order mark. */
  public static Read read(String file, byte[] bytes) {
    Position start = new Position(file, 1, 1);
    if (bytes.length > LARGEST_FILE) {
      return Read.refused(
          Finding.error(
              start,
              "",
              "the file is larger than "
                  + LARGEST_FILE
                  + " bytes; split it over tenants.d/*.yaml"));
    }
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
    } catch (CharacterCodingException e) {
      return Read.refused(
          Finding.error(start, "", "the file is not UTF-8 text; save it in that encoding"));
    }
    return read(file, text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  /** Reads text. */
  static Read read(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setAllowDuplicateKeys(true) // reported by YamlNodes, with both positions
            .setMaxAliasesForCollections(MOST_ALIASES)
            .setCodePointLimit(LARGEST_FILE)
            .build();
    Position start = new Position(file, 1, 1);
    try {
      Optional<Finding> shape = checkEvents(file, settings, text);
      if (shape.isPresent()) {
        return Read.refused(shape.get());
      }
      Iterator<Node> documents = new Compose(settings).composeAllFromString(text).iterator();
      if (!documents.hasNext()) {
        return Read.refused(
            Finding.error(start, "", "the file is empty; begin with \"version: 1\""));
      }
      return convert(file, documents.next());
    } catch (MarkedYamlEngineException e) {
      return Read.refused(
          Finding.error(
              e.getProblemMark().map(mark -> position(file, mark)).orElse(start),
              "",
              syntaxProblem(e)));
    } catch (ReaderException e) {
      return Read.refused(
          Finding.error(
              positionOf(file, text, e.getPosition()),
              "",
              String.format(
                  "character U+%04X may not stand in YAML; remove it, or escape it in a quoted"
                      + " text",
                  e.getCodePoint())));
    } catch (YamlEngineException e) {
      return Read.refused(
          Finding.error(
              start,
              "",
              "this is no YAML: " + Shown.text(String.valueOf(e.getMessage())) + "; correct it"));
    }
  }

  private static Read convert(String file, Node node) {
    YamlNodes nodes = new YamlNodes(file);
    YamlTree tree = nodes.tree(node);
    List<Finding> findings = nodes.findings(tree);
    return findings.isEmpty()
        ? new Read(Optional.of(tree), List.of())
        : new Read(Optional.empty(), findings);
  }

  /** Depth and number of documents, before composing, which recurses once per level. */
  private static Optional<Finding> checkEvents(String file, LoadSettings settings, String text) {
    int depth = 0;
    int documents = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      Position at =
          event.getStartMark().map(m -> position(file, m)).orElse(new Position(file, 1, 1));
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        case DocumentStart -> documents++;
        default -> {}
      }
      if (depth > DEEPEST) {
        return Optional.of(
            Finding.error(
                at, "", "nested deeper than " + DEEPEST + " levels; nothing here needs so many"));
      }
      if (documents > 1 && event instanceof DocumentStartEvent) {
        return Optional.of(
            Finding.error(
                at,
                "",
                "a second document begins here; keep one, others belong into tenants.d/*.yaml"));
      }
    }
    return Optional.empty();
  }

  private static String syntaxProblem(MarkedYamlEngineException e) {
    String problem = Shown.text(String.valueOf(e.getProblem()));
    if (problem.contains("'\\t(TAB)'") || problem.contains("\\t")) {
      return "a tab cannot indent; use spaces";
    }
    String context = e.getContext() == null ? "" : Shown.text(e.getContext()) + ", ";
    String remedy =
        problem.contains("found undefined alias")
            ? "write the value out"
            : "correct the syntax here or just before";
    return "this is no YAML: " + context + problem + "; " + remedy;
  }

  static Position position(String file, Mark mark) {
    return new Position(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** The place of a code point offset; the reader gives no mark of its own. */
  private static Position positionOf(String file, String text, int offset) {
    int line = 1;
    int column = 1;
    int at = 0;
    for (int i = 0; i < offset && at < text.length(); i++) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      column = c == '\n' ? 1 : column + 1;
      line = c == '\n' ? line + 1 : line;
    }
    return new Position(file, line, column);
  }
}

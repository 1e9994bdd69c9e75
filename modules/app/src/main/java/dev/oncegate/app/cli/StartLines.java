package dev.oncegate.app.cli;

import dev.oncegate.app.Gateway;
import java.util.ArrayList;
import java.util.List;

/** What a gateway that has started tells whoever started it, and nobody else: it is not logged. */
final class StartLines {
  private StartLines() {}

  /** The token of the ops API, where one was made up for this run, and at last the ready line. */
  static List<String> of(Gateway gateway) {
    List<String> lines = new ArrayList<>();
    gateway.madeToken().ifPresent(token -> lines.add("oncegate ops token " + token));
    lines.add(gateway.readyLine());
    return lines;
  }
}

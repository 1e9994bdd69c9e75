package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.List;

/** JSON Pointers (RFC 6901) as plain strings: the keys of the position maps. */
final class Pointers {
  private Pointers() {}

  static String child(String pointer, String key) {
    return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
  }

  static String child(String pointer, int index) {
    return pointer + "/" + index;
  }

  /** The pointer to the container; the empty pointer is its own. */
  static String parent(String pointer) {
    int slash = pointer.lastIndexOf('/');
    return slash < 0 ? "" : pointer.substring(0, slash);
  }

  /** The unescaped reference tokens. */
  static List<String> tokens(String pointer) {
    List<String> tokens = new ArrayList<>();
    if (!pointer.isEmpty()) {
      for (String token : pointer.substring(1).split("/", -1)) {
        tokens.add(token.replace("~1", "/").replace("~0", "~"));
      }
    }
    return tokens;
  }

  /** The last reference token, unescaped. */
  static String name(String pointer) {
    List<String> tokens = tokens(pointer);
    return tokens.isEmpty() ? "" : tokens.get(tokens.size() - 1);
  }
}

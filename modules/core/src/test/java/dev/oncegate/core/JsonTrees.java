package dev.oncegate.core;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random JSON as plain Java values (maps, lists, strings, decimals in their stripped form, booleans
 * and null), so that {@code equals} says whether two of them mean the same; and its many spellings.
 */
final class JsonTrees {
  private static final String[] NAMES = {
    "a", "b", "ab", "", "0", "1", "é", "e\u0301", "\uD83D\uDE00"
  };
  private static final String[] TEXTS = {
    "", "1", "null", "a", "A", "\"", "\\", "/", "\n", "\u0000", "é", "\uFF61", "\uD800\uDC00", "[]"
  };
  private static final String[] NUMBERS = {
    "0",
    "1",
    "-1",
    "10",
    "0.1",
    "0.10000000000000001",
    "9007199254740993",
    "9007199254740992",
    "1e-400",
    "123456.789",
    "1e30",
    "-2.5e-7"
  };

  private JsonTrees() {}

  static Object tree(Random random, int depth) {
    int kind = random.nextInt(depth == 0 ? 5 : 9);
    if (kind == 0) {
      return random.nextBoolean() ? random.nextBoolean() : null;
    } else if (kind <= 2) {
      return TEXTS[random.nextInt(TEXTS.length)];
    } else if (kind <= 4) {
      return stripped(new BigDecimal(NUMBERS[random.nextInt(NUMBERS.length)]));
    }
    int size = random.nextInt(4);
    if (kind <= 6) {
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        items.add(tree(random, depth - 1));
      }
      return items;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      members.put(NAMES[random.nextInt(NAMES.length)], tree(random, depth - 1));
    }
    return members;
  }

  /** The tree with one semantic change at a random place. */
  static Object changed(Object tree, Random random) {
    if (tree instanceof Map<?, ?> map && !map.isEmpty() && random.nextInt(4) > 0) {
      Map<String, Object> members = members(map);
      List<String> names = new ArrayList<>(members.keySet());
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(4) == 0) {
        members.remove(name);
      } else {
        members.put(name, changed(members.get(name), random));
      }
      return members;
    }
    if (tree instanceof List<?> list && !list.isEmpty() && random.nextInt(4) > 0) {
      List<Object> items = new ArrayList<>(list);
      int at = random.nextInt(items.size());
      int other = random.nextInt(items.size());
      if (!java.util.Objects.equals(items.get(at), items.get(other))) {
        Collections.swap(items, at, other);
      } else {
        items.set(at, changed(items.get(at), random));
      }
      return items;
    }
    return changedHere(tree, random);
  }

  private static Object changedHere(Object tree, Random random) {
    if (random.nextInt(3) == 0) {
      List<Object> wrapped = new ArrayList<>();
      wrapped.add(tree);
      return wrapped;
    }
    if (tree instanceof Map<?, ?> map) {
      Map<String, Object> members = members(map);
      members.put("new", null);
      return members;
    } else if (tree instanceof List<?> list) {
      List<Object> items = new ArrayList<>(list);
      items.add(null);
      return items;
    } else if (tree instanceof BigDecimal number) {
      return random.nextBoolean()
          ? number.toString()
          : stripped(number.add(BigDecimal.valueOf(1, random.nextInt(40))));
    } else if (tree instanceof String text) {
      return random.nextBoolean() ? text + "x" : new ArrayList<>();
    } else if (tree instanceof Boolean truth) {
      return random.nextBoolean() ? (Object) !truth : truth.toString();
    }
    return random.nextBoolean() ? (Object) "null" : (Object) Boolean.FALSE;
  }

  private static Map<String, Object> members(Map<?, ?> map) {
    Map<String, Object> members = new LinkedHashMap<>();
    map.forEach((name, value) -> members.put((String) name, value));
    return members;
  }

  private static BigDecimal stripped(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  /** One of the texts that mean this tree. */
  static String spelled(Object tree, Random random) {
    StringBuilder out = new StringBuilder();
    spell(out, tree, random);
    return out.toString();
  }

  private static void spell(StringBuilder out, Object tree, Random random) {
    blanks(out, random);
    if (tree instanceof Map<?, ?> map) {
      List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
      Collections.shuffle(entries, random);
      out.append('{');
      for (int i = 0; i < entries.size(); i++) {
        out.append(i == 0 ? "" : ",");
        spell(out, entries.get(i).getKey(), random);
        out.append(':');
        spell(out, entries.get(i).getValue(), random);
      }
      out.append('}');
    } else if (tree instanceof List<?> list) {
      out.append('[');
      for (int i = 0; i < list.size(); i++) {
        out.append(i == 0 ? "" : ",");
        spell(out, list.get(i), random);
      }
      out.append(list.isEmpty() ? " ]" : "]");
    } else if (tree instanceof String text) {
      quote(out, text, random);
    } else if (tree instanceof BigDecimal number) {
      out.append(number(number, random));
    } else {
      out.append(tree);
    }
    blanks(out, random);
  }

  private static void blanks(StringBuilder out, Random random) {
    while (random.nextInt(4) == 0) {
      out.append(" \t\r\n".charAt(random.nextInt(4)));
    }
  }

  private static void quote(StringBuilder out, String text, Random random) {
    out.append('"');
    for (char c : text.toCharArray()) {
      // Half a pair as an escape beside a plain other half is not JSON, so pairs go one way.
      boolean escape = c < 0x20 || Character.isSurrogate(c) || random.nextInt(3) == 0;
      if (escape) {
        String hex = String.format("%04x", (int) c);
        out.append("\\u")
            .append(random.nextBoolean() ? hex : hex.toUpperCase(java.util.Locale.ROOT));
      } else if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c == '/' && random.nextBoolean()) {
        out.append("\\/");
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static String number(BigDecimal number, Random random) {
    if (number.signum() == 0) {
      return new String[] {"0", "-0", "0.0", "0e7", "-0.00E-3"}[random.nextInt(5)];
    }
    int shift = random.nextInt(7) - 3;
    String mantissa = number.scaleByPowerOfTen(shift).toPlainString();
    if (random.nextBoolean()) {
      mantissa += (mantissa.contains(".") ? "" : ".") + "0".repeat(1 + random.nextInt(3));
    }
    if (shift == 0 && random.nextBoolean()) {
      return mantissa;
    }
    String sign = shift > 0 ? "-" : random.nextBoolean() ? "+" : "";
    String zeros = "0".repeat(random.nextInt(3));
    return mantissa + (random.nextBoolean() ? "e" : "E") + sign + zeros + Math.abs(shift);
  }
}

package dev.oncegate.ops;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.RecordId;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Record ids in paths. */
final class RecordIds {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");

  private RecordIds() {}

  static RecordId parse(String text) {
    if (!HEX.matcher(text).matches()) {
      throw OpsProblem.malformed("A record id has 64 hex digits.").refused();
    }
    return new RecordId(Bytes.wrap(HexFormat.of().parseHex(text)));
  }
}

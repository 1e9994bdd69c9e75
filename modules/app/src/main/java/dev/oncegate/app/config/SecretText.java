package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import dev.oncegate.engine.KeyRing;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A secret as text: hex digits, else base64 (either alphabet, padded or not). Plain words are
 * refused: what a person can remember is not random enough to derive keys from.
 */
public final class SecretText {
  private static final Pattern HEX = Pattern.compile("([0-9a-fA-F]{2})+");

  private SecretText() {}

  /** The bytes, at least 32 of them; the message never repeats the text. */
  public static byte[] decode(String setting, String text) {
    byte[] bytes = bytes(setting, text.strip());
    if (bytes.length < KeyRing.LEAST_SECRET) {
      throw StartFailure.invalid(
          setting
              + " decodes to "
              + bytes.length
              + " bytes; it needs at least "
              + KeyRing.LEAST_SECRET
              + ", as from: openssl rand -hex 32");
    }
    return bytes;
  }

  private static byte[] bytes(String setting, String text) {
    if (HEX.matcher(text).matches()) {
      return HexFormat.of().parseHex(text);
    }
    try {
      return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      throw StartFailure.invalid(
          setting + " is neither hex nor base64; make one with: openssl rand -hex 32");
    }
  }
}

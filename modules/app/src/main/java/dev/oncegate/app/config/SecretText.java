package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import dev.oncegate.app.config.GatewayConfig.Secret;
import dev.oncegate.engine.KeyRing;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A secret as text: hex digits, else base64 (either alphabet, padded or not). Plain words are
 * refused: what a person can remember is not random enough to derive keys from.
 */
final class SecretText {
  private static final Pattern HEX = Pattern.compile("([0-9a-fA-F]{2})+");
  private static final String REMEDY = "make one with: openssl rand -hex 32";

  private SecretText() {}

  /** The bytes, at least 32 of them; what is said about others never repeats the text. */
  static Fit<Secret> decode(String text) {
    String digits = text.strip();
    byte[] bytes;
    try {
      bytes =
          HEX.matcher(digits).matches()
              ? HexFormat.of().parseHex(digits)
              : Base64.getDecoder().decode(digits.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return new Unfit<>("is neither hex nor base64", REMEDY);
    }
    return bytes.length < KeyRing.LEAST_SECRET
        ? new Unfit<>(
            "decodes to " + bytes.length + " bytes and needs " + KeyRing.LEAST_SECRET + " or more",
            REMEDY)
        : new Taken<>(new Secret(bytes));
  }
}

package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Cuts a part out of a JSON body, byte for byte as it stands there. */
final class JsonSlice {
  private JsonSlice() {}

  /**
   * The part that a pointer leads to, without the white space around it; empty where there is none.
   *
   * @param body what {@link JsonReader} has read: well-formed UTF-8 without duplicate names
   */
  static Optional<Bytes> of(Bytes body, JsonPointer pointer) {
    try {
      CharBuffer json = JsonText.decode(body.array());
      char[] text = new char[json.remaining()];
      json.get(text);
      try (JsonParser parser = JsonReader.FACTORY.createParser(text)) {
        parser.nextToken();
        for (String token : PointerTree.tokens(pointer, name -> name)) {
          if (!enter(parser, token)) {
            return Optional.empty();
          }
        }
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        // A text is read no further than its opening quote until somebody asks for it.
        parser.finishToken();
        int end = (int) parser.currentLocation().getCharOffset();
        // Well-formed UTF-8 has one spelling, so that these are the bytes that were decoded.
        return Optional.of(
            Bytes.wrap(new String(text, start, end - start).getBytes(StandardCharsets.UTF_8)));
      }
    } catch (IOException e) {
      throw new BrokenInvariant("a body that was read as JSON is none");
    }
  }

  /** Moves from a value to one within it; false where that is not there. */
  private static boolean enter(JsonParser parser, String token) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equals(token);
        parser.nextToken();
        if (wanted) {
          return true;
        }
        parser.skipChildren();
      }
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      int wanted = PointerTree.index(token);
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        if (i == wanted) {
          return true;
        }
        parser.skipChildren();
      }
    }
    return false;
  }
}

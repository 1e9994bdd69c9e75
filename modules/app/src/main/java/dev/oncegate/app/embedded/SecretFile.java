package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/** 32 random bytes, made once and kept as 64 hex digits in a file of mode 0600. */
final class SecretFile {
  private static final int BYTES = 32;
  private static final Pattern CONTENT = Pattern.compile("[0-9a-f]{64}");

  private SecretFile() {}

  /**
   * The file's 64 digits, made now where this data directory is new. Where it is not, a missing
   * file means that it was lost, and a new one would not fit what is stored.
   */
  static String readOrMake(DataDir dir, Path file) {
    try {
      if (Files.exists(file)) {
        return read(file);
      }
      if (dir.hasPostgres()) {
        throw StartFailure.invalid(
            file + " is missing, but the database beside it was made with it; put it back");
      }
      return make(dir, file);
    } catch (IOException e) {
      throw StartFailure.invalid("cannot use " + file + ": " + DataDir.reason(e), e);
    }
  }

  private static String read(Path file) throws IOException {
    String content = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    if (!CONTENT.matcher(content).matches()) {
      throw StartFailure.invalid(
          file + " is damaged: it should hold 64 hex digits; restore it from a backup");
    }
    return content;
  }

  private static String make(DataDir dir, Path file) throws IOException {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    String content = HexFormat.of().formatHex(bytes);
    // Written aside and renamed, so that a cut-off start leaves all of it or nothing.
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      channel.write(ByteBuffer.wrap((content + "\n").getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    dir.force();
    return content;
  }
}

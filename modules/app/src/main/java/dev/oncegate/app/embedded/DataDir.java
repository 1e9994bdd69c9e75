package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where a gateway with the embedded Postgres keeps everything that must survive.
 *
 * @param root absolute
 */
public record DataDir(Path root) {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rwx------");

  /** Makes the directory where it is missing, for this user alone. */
  public static DataDir open(Path root) {
    Path real;
    try {
      Files.createDirectories(root, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
      // One name for one place: a server that was left behind is recognised by it.
      real = root.toRealPath();
    } catch (FileAlreadyExistsException e) {
      throw StartFailure.invalid("the data directory " + root + " is not a directory", e);
    } catch (IOException e) {
      throw StartFailure.invalid("cannot make the data directory " + root + ": " + reason(e), e);
    }
    if (!Files.isWritable(real)) {
      throw StartFailure.invalid("the data directory " + root + " is not writable by this user");
    }
    return new DataDir(real);
  }

  /** Locked by the process that owns the directory. */
  public Path lock() {
    return root.resolve("lock");
  }

  /** The database cluster. */
  public Path postgres() {
    return root.resolve("pg");
  }

  /** The unpacked server; can be deleted at any time between two runs. */
  public Path binaries() {
    return root.resolve("pg-bin");
  }

  /** What the server said. */
  public Path postgresLog() {
    return root.resolve("postgres.log");
  }

  /** Password of the server's only role. */
  public Path password() {
    return root.resolve("pg-password");
  }

  /** The installation secret. */
  public Path secret() {
    return root.resolve("secret");
  }

  /** Stands there while the first start has not come to its end. */
  public Path unfinished() {
    return root.resolve("pg-unfinished");
  }

  /** Whether a database has been made here. */
  public boolean hasPostgres() {
    return Files.exists(postgres()) && !Files.exists(unfinished());
  }

  /** Takes back the write permission for all that the library gives to what is executed. */
  void closeBinaries() throws IOException {
    Files.setPosixFilePermissions(binaries(), OWNER_ALONE);
  }

  /** Makes earlier creations and deletions in this directory survive a power cut. */
  void force() throws IOException {
    try (FileChannel directory = FileChannel.open(root, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  static String reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException
        ? "access denied"
        : e.getClass().getSimpleName() + " " + e.getMessage();
  }
}

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
import java.util.stream.Stream;

/**
 * Where a gateway with the embedded Postgres keeps everything that must survive.
 *
 * @param root absolute
 */
public record DataDir(Path root) {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rwx------");

  /**
   * What earlier starts that got no further may have left, and what a new file system holds; {@code
   * demo} keeps its own directory in the one that {@code serve} takes by default.
   */
  private static final Set<String> OWN =
      Set.of(
          "lock",
          "pg-bin",
          "postgres.log",
          "pg-password",
          "pg-password.new",
          "pg-unfinished",
          "secret",
          "secret.new",
          "demo",
          "lost+found");

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
    DataDir dir = new DataDir(real);
    dir.refuseForeign(root);
    return dir;
  }

  /**
   * A first start makes files with plain names such as {@code secret}, and whatever had such a name
   * would be taken for ours: it happens in an empty directory only.
   */
  private void refuseForeign(Path asGiven) {
    if (Files.exists(postgres())) {
      return;
    }
    try (Stream<Path> entries = Files.list(root)) {
      entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !name.startsWith(".") && !OWN.contains(name))
          .findFirst()
          .ifPresent(
              foreign -> {
                throw StartFailure.invalid(
                    "the data directory "
                        + asGiven
                        + " holds files of something else ("
                        + foreign
                        + "); give a new or an empty one");
              });
    } catch (IOException e) {
      throw StartFailure.invalid("cannot read the data directory " + asGiven + ": " + reason(e), e);
    }
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

package dev.oncegate.tenants;

import dev.oncegate.core.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Secrets from environment variables and files. */
final class SystemSecrets implements SecretResolver {
  /** Largest secret file in bytes. */
  static final int LARGEST = 64 * 1024;

  /** Largest file of certificates in bytes; a system's own has some 220,000. */
  private static final int LARGEST_BUNDLE = 1024 * 1024;

  private final Function<String, @Nullable String> environment;

  SystemSecrets(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public Resolved resolve(String reference) {
    return SecretResolver.path(reference)
        .map(path -> file(path, LARGEST, "64KiB"))
        .orElseGet(() -> variable(reference.substring(ENV.length(), reference.length() - 1)));
  }

  @Override
  public Resolved certificates(String path) {
    return file(path, LARGEST_BUNDLE, "1MiB");
  }

  private Resolved variable(String name) {
    String value = environment.apply(name);
    if (value == null || value.isEmpty()) {
      return new Missing(
          "environment variable " + name + (value == null ? " is not set" : " is empty"),
          "set it, or use ${file:/path}");
    }
    return new Found(value);
  }

  private static Resolved file(String name, int largest, String largestText) {
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        return missing(name, "it is a directory");
      }
      byte[] secret = FileStart.read(path, largest + 1);
      if (secret.length > largest) {
        return missing(name, "it is larger than " + largestText);
      }
      if (secret.length == 0) {
        return missing(name, "it is empty");
      }
      return new Found(
          Bytes.wrap(secret),
          isWritableByOthers(path)
              ? "file " + Shown.text(name) + " can be written by others; take that right away"
              : "");
    } catch (NoSuchFileException e) {
      return missing(name, "no such file");
    } catch (IOException | IllegalArgumentException e) {
      return missing(name, "no right to read it");
    }
  }

  private static Missing missing(String name, String why) {
    return new Missing("file " + Shown.text(name) + " cannot be read (" + why + ")", "");
  }

  private static boolean isWritableByOthers(Path path) throws IOException {
    try {
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(path);
      return rights.contains(PosixFilePermission.OTHERS_WRITE);
    } catch (UnsupportedOperationException e) {
      return false; // no such rights on this file system
    }
  }
}

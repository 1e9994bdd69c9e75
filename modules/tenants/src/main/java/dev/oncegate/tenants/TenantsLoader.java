package dev.oncegate.tenants;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads {@code tenants.yaml} and the files of {@code tenants.d} beside it. All or nothing: either
 * every tenant is there and usable, or every fault of the first step that found one.
 */
public final class TenantsLoader {
  private TenantsLoader() {}

  /** What became of a file. */
  public sealed interface Result {}

  /**
   * The tenants to serve.
   *
   * @param remarks warnings and notes, sorted
   * @param policies of the routes with a key protocol, to be archived before they are served
   */
  public record Loaded(
      List<TenantPolicy> tenants, List<Finding> remarks, List<ArchivedPolicy> policies)
      implements Result {
    public Loaded {
      tenants = List.copyOf(tenants);
      remarks = List.copyOf(remarks);
      policies = List.copyOf(policies);
    }
  }

  /**
   * Nothing to serve.
   *
   * @param findings why, sorted; warnings and notes that were seen too are among them
   */
  public record Refused(List<Finding> findings) implements Result {
    public Refused {
      findings = List.copyOf(findings);
    }
  }

  /** What the tenants are read for. */
  public enum Mode {
    /** To serve them: a secret that is missing refuses the file. */
    SERVE,
    /** To check them, perhaps where the secrets are not: a secret that is missing is a warning. */
    VALIDATE
  }

  /**
   * An address that the gateway itself listens on.
   *
   * @param host as it was configured; {@code 0.0.0.0} and {@code ::} are all addresses
   */
  public record Listener(String host, int port) {}

  /**
   * What a file is judged by beside its own text.
   *
   * @param listeners the gateway's own; no upstream may be one of them
   */
  public record Options(Mode mode, SecretResolver secrets, List<Listener> listeners) {
    public Options {
      listeners = List.copyOf(listeners);
    }

    /** Secrets from the environment and the file system, no listener known. */
    public static Options of(Mode mode) {
      return new Options(mode, SecretResolver.system(), List.of());
    }
  }

  /**
   * Reads a file. Blocks while it reads: not for event loops.
   *
   * @param file the main file, or a folder with {@code tenants.yaml} in it; named in findings as
   *     given here
   */
  public static Result load(Path file, Options options) {
    Path main = Files.isDirectory(file) ? file.resolve("tenants.yaml") : file;
    List<Path> files = new ArrayList<>(List.of(main));
    Path folder = main.resolveSibling("tenants.d");
    if (Files.isDirectory(folder)) {
      try (Stream<Path> beside = Files.list(folder)) {
        beside
            .filter(path -> path.getFileName().toString().matches("[^.].*\\.ya?ml"))
            .sorted()
            .forEach(files::add);
      } catch (IOException e) {
        return unreadable(folder, e);
      }
    }
    List<Source> sources = new ArrayList<>();
    for (Path path : files) {
      try {
        if (Files.exists(path) && Files.size(path) > YamlReader.LARGEST_FILE) {
          return refused(
              path,
              "the file is larger than "
                  + YamlReader.LARGEST_FILE
                  + " bytes; split it over tenants.d/*.yaml");
        }
        sources.add(new Source(path.toString(), Files.readAllBytes(path)));
      } catch (IOException e) {
        return unreadable(path, e);
      }
    }
    return new TenantsReader(options).read(sources);
  }

  /** The JSON Schema (draft-07) that files are checked against. */
  public static String schema() {
    return SchemaCheck.text();
  }

  /** A file's name and its bytes. */
  record Source(String file, byte[] bytes) {}

  private static Refused unreadable(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return refused(path, "no such file; name a file that is there");
    }
    if (Files.isDirectory(path)) {
      return refused(path, "this is a folder; name a file");
    }
    return refused(path, "the file cannot be read; let this process read it");
  }

  private static Refused refused(Path path, String message) {
    return new Refused(List.of(Finding.error(new Position(path.toString(), 1, 1), "", message)));
  }
}

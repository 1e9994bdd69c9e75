package dev.oncegate.tenants;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import java.nio.file.Path;
import java.util.List;

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
   * @param retentions of the same routes, for a person to read
   * @param ways of the same routes: what follows their unknown outcomes, for a person to read
   * @param secrets what the policies name by reference
   */
  public record Loaded(
      List<TenantPolicy> tenants,
      List<Finding> remarks,
      List<ArchivedPolicy> policies,
      List<DerivedRetention> retentions,
      List<EffectiveWay> ways,
      KeptSecrets secrets)
      implements Result {
    public Loaded {
      tenants = List.copyOf(tenants);
      remarks = List.copyOf(remarks);
      policies = List.copyOf(policies);
      retentions = List.copyOf(retentions);
      ways = List.copyOf(ways);
    }

    /** The same file with other tenants, such as those that lead to another upstream. */
    public Loaded withTenants(List<TenantPolicy> others) {
      return new Loaded(others, remarks, policies, retentions, ways, secrets);
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
    SourceFiles found = SourceFiles.read(file);
    if (found instanceof SourceFiles.Unreadable unreadable) {
      return new Refused(List.of(unreadable.finding()));
    } else if (found instanceof SourceFiles.Read read) {
      return new TenantsReader(options).read(read.sources());
    }
    throw new BrokenInvariant("files are read or unreadable");
  }

  /** The JSON Schema (draft-07) that files are checked against. */
  public static String schema() {
    return SchemaCheck.text();
  }

  /** A file's name and its bytes. */
  record Source(String file, byte[] bytes) {}
}

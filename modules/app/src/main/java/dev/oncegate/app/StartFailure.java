package dev.oncegate.app;

import dev.oncegate.tenants.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why Oncegate does not start, in one line for the person who started it, with the exit code of
 * contract §8. Whatever was started before it is stopped again.
 */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit code: invalid input or configuration. Trying again changes nothing. */
  public static final int INVALID = 2;

  /** Exit code: something needed cannot be reached. It may help to try again. */
  public static final int UNREACHABLE = 3;

  private final int exitCode;
  private final transient List<Finding> findings;

  private StartFailure(
      int exitCode, String line, List<Finding> findings, @Nullable Throwable cause) {
    super(line, cause);
    this.exitCode = exitCode;
    this.findings = List.copyOf(findings);
  }

  /** Input or configuration that cannot work as it stands. */
  public static StartFailure invalid(String line) {
    return new StartFailure(INVALID, line, List.of(), null);
  }

  /** Input or configuration that cannot work as it stands, and what was thrown about it. */
  public static StartFailure invalid(String line, Throwable cause) {
    return new StartFailure(INVALID, line, List.of(), cause);
  }

  /** A file that is refused, with everything that is wrong with it. */
  public static StartFailure refused(List<Finding> findings) {
    return new StartFailure(INVALID, findings.get(0).toString(), findings, null);
  }

  /** Something that Oncegate needs and cannot reach. */
  public static StartFailure unreachable(String line, @Nullable Throwable cause) {
    return new StartFailure(UNREACHABLE, line, List.of(), cause);
  }

  /** 2 or 3. */
  public int exitCode() {
    return exitCode;
  }

  /** What is wrong with a file, to be printed instead of the line; may be empty. */
  public List<Finding> findings() {
    return findings;
  }

  /** What to print; never holds a credential. */
  public String line() {
    return String.valueOf(getMessage());
  }
}

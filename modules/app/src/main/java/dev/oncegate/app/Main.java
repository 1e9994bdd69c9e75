package dev.oncegate.app;

import dev.oncegate.app.cli.OncegateCommand;

/** Picks the command. */
public final class Main {
  private Main() {}

  /** Runs one command; a gateway goes on after this returns, until it is told to stop. */
  public static void main(String[] arguments) {
    int exitCode = OncegateCommand.run(arguments, System.getenv());
    if (exitCode != OncegateCommand.KEEPS_RUNNING) {
      System.exit(exitCode);
    }
  }
}

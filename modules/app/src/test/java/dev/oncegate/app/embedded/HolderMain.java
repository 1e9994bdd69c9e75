package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import java.nio.file.Path;

/** A process that owns a data directory until it is killed; its server runs on when it is. */
final class HolderMain {
  private HolderMain() {}

  public static void main(String[] arguments) throws Exception {
    DataDir dir = DataDir.open(Path.of(arguments[0]));
    try {
      DataDirLock lock = DataDirLock.take(dir);
      EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20);
      System.out.println("holding " + server.uri().address() + " " + lock);
      System.in.read();
    } catch (StartFailure e) {
      System.out.println("refused " + e.exitCode() + " " + e.line());
    }
  }
}

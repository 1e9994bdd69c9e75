package dev.oncegate.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresServerIT {
  @TempDir static Path binaries;
  @TempDir Path temporary;
  private DataDir dir;

  @BeforeEach
  void open() throws IOException {
    dir = DataDir.open(temporary.resolve("data"));
    // Unpacking is the slow part of a first start, and the same for all.
    Files.createSymbolicLink(dir.binaries(), binaries);
  }

  @AfterEach
  void unlink() throws IOException {
    Files.delete(dir.binaries());
  }

  @Test
  void freshServer_isDurable_andKeepsItsDataOverARestart() throws Exception {
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      assertThat(server.show("fsync")).isEqualTo("on");
      assertThat(server.show("synchronous_commit")).isEqualTo("on");
      assertThat(server.show("full_page_writes")).isEqualTo("on");
      assertThat(server.show("unix_socket_directories")).isEmpty();
      assertThat(server.show("listen_addresses")).isEqualTo("127.0.0.1");
      execute(server, "create table kept (id int)");
      execute(server, "insert into kept values (42)");
    }
    assertThat(Postmaster.of(dir.postgres())).isEmpty();
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      assertThat(query(server, "select id from kept")).isEqualTo("42");
    }
  }

  @Test
  void strangerOnTheMachine_needsThePassword() throws Exception {
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      String address = server.uri().address();
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () ->
                  DriverManager.getConnection(
                      "jdbc:postgresql://" + address + "/postgres", "postgres", "guess"))
          .withMessageContaining("password authentication failed");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.password())))
        .isEqualTo("rw-------");
  }

  @Test
  void firstStartThatWasCutOff_isMadeAnew() throws Exception {
    Files.createDirectories(dir.postgres());
    Files.writeString(dir.postgres().resolve("half"), "written");
    Files.createFile(dir.unfinished());
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      assertThat(query(server, "select 1")).isEqualTo("1");
    }
    assertThat(dir.unfinished()).doesNotExist();
    assertThat(dir.postgres().resolve("half")).doesNotExist();
  }

  @Test
  void damagedDirectory_failsSoon_inOneLineThatTellsWhy() throws Exception {
    EmbeddedPostgresServer.start(dir, 20).close();
    Files.writeString(dir.postgres().resolve("global/pg_control"), "garbage");
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> EmbeddedPostgresServer.start(dir, 20))
        .matches(failure -> failure.exitCode() == 3)
        .matches(failure -> !failure.line().contains("\n"))
        .withMessageContaining(dir.postgres().toString())
        .withMessageContaining("postgres.log")
        .withMessageContaining("pg_control");
    assertThat(Postmaster.of(dir.postgres())).isEmpty();
  }

  @Test
  void pidFileWithTheNumberOfAnotherProcess_doesNotStopTheStart() throws Exception {
    EmbeddedPostgresServer.start(dir, 20).close();
    Files.writeString(
        dir.postgres().resolve("postmaster.pid"),
        ProcessHandle.current().pid() + "\n" + dir.postgres() + "\n",
        StandardCharsets.US_ASCII);
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      assertThat(query(server, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void serverThatAKilledRunLeft_isStoppedAndStartedAfresh() throws Exception {
    Process holder = holder();
    assertThat(firstLine(holder)).startsWith("holding ");
    long left = pid();
    holder.destroyForcibly().waitFor();
    assertThat(ProcessHandle.of(left)).as("the server outlives its gateway").isPresent();
    try (DataDirLock lock = DataDirLock.take(dir);
        EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, 20)) {
      assertThat(lock).isNotNull();
      assertThat(pid()).isNotEqualTo(left);
      assertThat(ProcessHandle.of(left).filter(ProcessHandle::isAlive)).isEmpty();
      assertThat(query(server, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void secondProcess_isRefusedWithThePidOfTheFirst() throws Exception {
    Process first = holder();
    try {
      assertThat(firstLine(first)).startsWith("holding ");
      assertThat(firstLine(holder()))
          .startsWith("refused 2 ")
          .contains("in use by process " + first.pid());
    } finally {
      first.getOutputStream().write('\n');
      first.getOutputStream().flush();
      first.waitFor();
      Postmaster.stopLeftOver(dir.postgres());
    }
  }

  private Process holder() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            HolderMain.class.getName(),
            dir.root().toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String firstLine(Process process) throws IOException {
    return process.inputReader().readLine();
  }

  private long pid() throws Exception {
    return Long.parseLong(
        Files.readAllLines(dir.postgres().resolve("postmaster.pid")).get(0).strip());
  }

  private static Connection connect(EmbeddedPostgresServer server) throws SQLException {
    String[] parts = server.uri().value().split("[:@/]+");
    return DriverManager.getConnection(
        "jdbc:postgresql://" + server.uri().address() + "/postgres", parts[1], parts[2]);
  }

  private static void execute(EmbeddedPostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server)) {
      connection.createStatement().execute(sql);
    }
  }

  private static String query(EmbeddedPostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        ResultSet row = connection.createStatement().executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}

package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a repository of its own, with tools that only say how they were called. */
class LauncherIT {
  private static final Path LAUNCHER = Path.of("../../oncegate").toAbsolutePath().normalize();
  private static final List<String> TOOLS =
      List.of(
          "bash", "env", "dirname", "readlink", "find", "head", "sed", "mkdir", "flock", "touch");

  @TempDir Path directory;
  private Path home;
  private Path tools;

  @BeforeEach
  void copyLauncher() throws Exception {
    home = Files.createDirectories(directory.resolve("home with a blank"));
    tools = Files.createDirectories(directory.resolve("tools"));
    Files.copy(LAUNCHER, home.resolve("oncegate"));
    executable(home.resolve("oncegate"));
    Files.createDirectories(home.resolve("modules/app/src/main"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.writeString(home.resolve("modules/app/pom.xml"), "<project/>");
    for (String tool : TOOLS) {
      tool(tool, "exec \"$(PATH=/usr/bin:/bin command -v " + tool + ")\" \"$@\"");
    }
  }

  private record Result(int exitCode, String out, String err) {}

  @Test
  void noJava_isSaid() throws Exception {
    assertFails(run(home.resolve("oncegate")), "no java found");
  }

  @Test
  void oldJava_isSaid() throws Exception {
    tool("java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
    built();
    assertFails(run(home.resolve("oncegate")), "is version 11; a JDK 17 or later is needed");
  }

  @Test
  void noMavenWhenThereIsSomethingToBuild_isSaid() throws Exception {
    java17();
    assertFails(run(home.resolve("oncegate")), "no mvn found");
  }

  @Test
  void failedBuild_namesItsLog() throws Exception {
    java17();
    tool("mvn", "echo broken; exit 1");
    Result result = run(home.resolve("oncegate"));
    assertThat(result.err()).contains("building Oncegate (first run");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).contains("the build failed; see " + home.resolve("target/build.log"));
    assertThat(home.resolve("target/build.log")).content().contains("broken");
  }

  @Test
  void firstRun_buildsOnce_thenRunsTheJarWithTheArguments() throws Exception {
    java17();
    tool("mvn", "mkdir -p modules/app/target/lib; touch modules/app/target/oncegate.jar");
    Result first = run(home.resolve("oncegate"), "serve", "--port", "1");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).contains("building Oncegate (first run");
    assertThat(first.out())
        .contains("-jar " + home.resolve("modules/app/target/oncegate.jar") + " serve --port 1")
        .contains("-Doncegate.home=" + home);
    assertThat(run(home.resolve("oncegate"), "--version").err()).isEmpty();
  }

  @Test
  void changedSource_isBuiltAgain() throws Exception {
    java17();
    built();
    tool("mvn", "touch modules/app/target/oncegate.jar");
    Path source = home.resolve("modules/app/src/main/Changed.java");
    Files.writeString(source, "");
    Files.setLastModifiedTime(
        home.resolve("modules/app/target/oncegate.jar"),
        java.nio.file.attribute.FileTime.fromMillis(
            Files.getLastModifiedTime(source).toMillis() - 5_000));
    assertThat(run(home.resolve("oncegate"), "--version").err()).contains("its sources changed");
  }

  @Test
  void symbolicLink_andOptionsOfTheUser_work() throws Exception {
    java17();
    built();
    Path link = directory.resolve("link");
    Files.createSymbolicLink(link, Path.of("home with a blank/oncegate"));
    Result result = run(link, "--version");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("-Xmx1g -Dx=y -jar");
  }

  private void java17() throws IOException {
    tool(
        "java",
        "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.1\"' >&2; else echo \"$*\";"
            + " fi");
  }

  private void built() throws IOException {
    Files.createDirectories(home.resolve("modules/app/target/lib"));
    Files.writeString(home.resolve("modules/app/target/oncegate.jar"), "");
  }

  private void tool(String name, String script) throws IOException {
    Files.writeString(tools.resolve(name), "#!/bin/bash\n" + script + "\n");
    executable(tools.resolve(name));
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void assertFails(Result result, String message) {
    assertThat(result.err().strip()).startsWith("oncegate: ").contains(message);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.exitCode()).isEqualTo(3);
  }

  private Result run(Path launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(Map.of("PATH", tools.toString(), "ONCEGATE_JAVA_OPTS", "-Xmx1g -Dx=y"));
    Path err = directory.resolve("err.txt");
    Process process = builder.redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out, Files.readString(err));
  }
}

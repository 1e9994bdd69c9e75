package dev.oncegate.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirTest {
  @TempDir Path temporary;

  @Test
  void fileInPlaceOfTheDirectory_isRefused() throws Exception {
    Path file = Files.createFile(temporary.resolve("data"));
    refused(() -> DataDir.open(file), "is not a directory");
  }

  @Test
  void directoryOfSomethingElse_isRefused_andLeftAsItIs() throws Exception {
    Files.createFile(temporary.resolve("passwd"));
    refused(() -> DataDir.open(temporary), "something else (passwd)");
    try (var entries = Files.list(temporary)) {
      assertThat(entries).hasSize(1);
    }
  }

  @Test
  void directoryThatIsOurs_mayHoldMore() throws Exception {
    Files.createDirectories(DataDir.open(temporary).postgres());
    Files.createFile(temporary.resolve("notes"));
    assertThat(DataDir.open(temporary).hasPostgres()).isTrue();
  }

  @Test
  void newFileSystemOrLeftoversOfAFirstStart_areTaken() throws Exception {
    Files.createDirectory(temporary.resolve("lost+found"));
    Files.createDirectory(temporary.resolve("demo"));
    Files.createFile(temporary.resolve(".keep"));
    Files.createFile(temporary.resolve("secret.new"));
    InstallationSecret.of(DataDir.open(temporary));
    DataDirLock.take(DataDir.open(temporary)).close();
    assertThat(DataDir.open(temporary).hasPostgres()).isFalse();
  }

  @Test
  void secret_isMadeOnce_forThisUserAlone() throws Exception {
    DataDir dir = DataDir.open(temporary);
    byte[] secret = InstallationSecret.of(dir);
    assertThat(secret).hasSize(32);
    assertThat(InstallationSecret.of(dir)).isEqualTo(secret);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.secret())))
        .isEqualTo("rw-------");
  }

  @Test
  void lostSecretBesideADatabase_isRefused() throws Exception {
    DataDir dir = DataDir.open(temporary);
    Files.createDirectories(dir.postgres());
    refused(() -> InstallationSecret.of(dir), "put it back");
  }

  @Test
  void damagedSecret_isRefused_withoutRepeatingIt() throws Exception {
    DataDir dir = DataDir.open(temporary);
    Files.writeString(dir.secret(), "abc");
    refused(() -> InstallationSecret.of(dir), "is damaged");
  }

  @Test
  void secondLockInOneProcess_isRefused_andTheFirstStands() throws Exception {
    DataDir dir = DataDir.open(temporary);
    try (DataDirLock held = DataDirLock.take(dir)) {
      refused(() -> DataDirLock.take(dir), "in use by process " + ProcessHandle.current().pid());
      assertThat(held).isNotNull();
    }
    DataDirLock.take(dir).close();
  }

  private static void refused(Runnable start, String message) {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(start::run)
        .withMessageContaining(message)
        .matches(failure -> failure.exitCode() == 2);
  }
}

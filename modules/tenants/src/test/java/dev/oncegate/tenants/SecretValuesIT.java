package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files that only archived policies name are read without blocking the loop that asks. */
class SecretValuesIT {
  private final Vertx vertx = Vertx.vertx();
  private final SecretValues values =
      new SecretValues(
          vertx,
          () -> KeptSecrets.NONE,
          reference -> {
            throw new AssertionError("files are not read by what may block");
          });

  @TempDir Path folder;

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private String value(String path) throws Exception {
    CompletableFuture<String> value = new CompletableFuture<>();
    Context context = vertx.getOrCreateContext();
    context.runOnContext(
        go ->
            values
                .value("${file:" + path + "}")
                .onComplete(
                    read -> {
                      if (Vertx.currentContext() != context) {
                        value.completeExceptionally(new AssertionError("on another context"));
                      } else if (read.succeeded()) {
                        value.complete(read.result());
                      } else {
                        value.completeExceptionally(read.cause());
                      }
                    }));
    return value.get(10, TimeUnit.SECONDS);
  }

  @Test
  void file_isReadWithoutItsLineEnd() throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "Bearer abc\n");

    assertThat(value(secret.toString())).isEqualTo("Bearer abc");
  }

  @Test
  void changedFile_isReadAnew() throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "one");
    assertThat(value(secret.toString())).isEqualTo("one");
    Files.writeString(secret, "two");
    assertThat(value(secret.toString())).isEqualTo("two");
  }

  @Test
  void largestFile_isRead_andNoneBeyond() throws Exception {
    Path largest = Files.writeString(folder.resolve("a"), "x".repeat(64 * 1024));
    Path larger = Files.writeString(folder.resolve("b"), "x".repeat(64 * 1024 + 1));

    assertThat(value(largest.toString())).hasSize(64 * 1024);
    assertRefused(larger.toString());
  }

  @Test
  void nothingThere_emptyFile_andFolder_fail() throws Exception {
    assertRefused(folder.resolve("none").toString());
    assertRefused(Files.writeString(folder.resolve("empty"), "").toString());
    assertRefused(folder.toString());
    assertRefused("\0");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void deviceWithoutAnEnd_isNotReadWhole() {
    assertRefused("/dev/zero");
  }

  private void assertRefused(String path) {
    assertThatThrownBy(() -> value(path))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("is not there any more");
  }
}

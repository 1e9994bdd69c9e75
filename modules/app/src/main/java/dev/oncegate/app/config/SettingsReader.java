package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.config.ConfigStoreOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Flags over environment over file, merged by vertx-config. */
final class SettingsReader {
  private SettingsReader() {}

  /**
   * What was said about each setting, by its JSON Pointer. Blocks while it reads.
   *
   * @param environment and flags: what they say by a setting's pointer
   */
  static Map<String, Given> read(
      Optional<Path> file, Map<String, Given> environment, Map<String, Given> flags) {
    file.ifPresent(SettingsReader::requireFile);
    ConfigRetrieverOptions options = new ConfigRetrieverOptions().setIncludeDefaultStores(false);
    file.ifPresent(path -> options.addStore(store(path)));
    options.addStore(store(environment)).addStore(store(flags));
    Vertx vertx = vertx();
    try {
      return PositionedYamlProcessor.given(
          ConfigRetriever.create(vertx, options).getConfig().await());
    } finally {
      vertx.close().await();
    }
  }

  private static void requireFile(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw StartFailure.invalid(
          "the settings file "
              + file
              + " cannot be read ("
              + (Files.exists(file) ? "no file, or no right to read it" : "no such file")
              + ")");
    }
  }

  private static ConfigStoreOptions store(Path file) {
    return new ConfigStoreOptions()
        .setType("file")
        .setFormat(PositionedYamlProcessor.FORMAT)
        .setConfig(new JsonObject().put(PositionedYamlProcessor.PATH, file.toString()));
  }

  private static ConfigStoreOptions store(Map<String, Given> said) {
    JsonObject leaves = new JsonObject();
    said.forEach(
        (pointer, given) ->
            leaves.put(
                pointer, new JsonObject().put("value", given.value()).put("from", given.from())));
    return new ConfigStoreOptions().setType("json").setConfig(leaves);
  }

  /** A small one for this alone: the gateway's own is made from what is read here. */
  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }
}

package dev.oncegate.tenants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The main file and those of {@code tenants.d} beside it, as bytes. */
sealed interface SourceFiles {
  /**
   * All of them.
   *
   * @param sources the main file first, the others by name
   */
  record Read(List<TenantsLoader.Source> sources) implements SourceFiles {}

  /** One of them could not be read. */
  record Unreadable(Finding finding) implements SourceFiles {}

  /**
   * Reads them; blocks.
   *
   * @param file the main file, or a folder with {@code tenants.yaml} in it
   */
  static SourceFiles read(Path file) {
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
    List<TenantsLoader.Source> sources = new ArrayList<>();
    for (Path path : files) {
      try {
        // One byte more shows that it is too large; devices and pipes tell no size beforehand.
        sources.add(
            new TenantsLoader.Source(
                path.toString(), FileStart.read(path, YamlReader.LARGEST_FILE + 1)));
      } catch (IOException e) {
        return unreadable(path, e);
      }
    }
    return new Read(sources);
  }

  private static Unreadable unreadable(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return refused(path, "no such file; name a file that is there");
    }
    if (Files.isDirectory(path)) {
      return refused(path, "this is a folder; name a file");
    }
    return refused(path, "the file cannot be read; let this process read it");
  }

  private static Unreadable refused(Path path, String message) {
    return new Unreadable(Finding.error(new Position(path.toString(), 1, 1), "", message));
  }
}

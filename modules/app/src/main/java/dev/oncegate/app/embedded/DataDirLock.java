package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which process owns a data directory. The operating system frees it with the process,
 * however that ends, so there is nothing to clean up after a kill -9; the pid inside is for people.
 */
public final class DataDirLock implements AutoCloseable {
  /**
   * What this process holds. POSIX drops all locks of a process on a file when it closes any handle
   * of that file, so a second attempt must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private DataDirLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes the directory or says who has it. */
  public static DataDirLock take(DataDir dir) {
    Path file = dir.lock();
    if (!HELD.add(file)) {
      throw taken(dir, ProcessHandle.current().pid() + "");
    }
    boolean taken = false;
    try {
      FileChannel channel = lock(file);
      if (channel == null) {
        throw taken(dir, Files.readString(file).strip());
      }
      taken = true;
      return new DataDirLock(file, channel);
    } catch (IOException e) {
      throw StartFailure.invalid("cannot lock " + file + ": " + DataDir.reason(e), e);
    } finally {
      if (!taken) {
        HELD.remove(file);
      }
    }
  }

  private static @Nullable FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
      if (lock == null) {
        return null;
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
      return channel;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  private static StartFailure taken(DataDir dir, String pid) {
    return StartFailure.invalid(
        "the data directory "
            + dir.root()
            + " is in use by process "
            + (pid.isEmpty() ? "(unknown)" : pid)
            + "; stop it, or give another --data-dir");
  }

  @Override
  public void close() throws IOException {
    // The file stays: deleting it would let two processes lock two files of one name.
    channel.close();
    HELD.remove(file);
  }
}

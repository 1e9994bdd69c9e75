package dev.oncegate.app.drill;

import dev.oncegate.app.OncegateProcess;
import dev.oncegate.testkit.TestPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One life of a gateway process.
 *
 * @param name of this life: a restarted process has another one
 */
record DrillNode(String name, OncegateProcess process, URI traffic, URI ops)
    implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Starts a process and waits until it serves.
   *
   * @param javaOptions for the virtual machine, such as the failpoints
   * @param drain longest wait for exchanges at SIGTERM
   */
  static DrillNode start(
      String name,
      Path directory,
      TestPostgres.Database database,
      String javaOptions,
      String drain) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ONCEGATE_INSTANCES", "2");
    environment.put("ONCEGATE_SECRET", "ab".repeat(32));
    environment.put("ONCEGATE_DRAIN_TIMEOUT", drain);
    environment.put("JAVA_TOOL_OPTIONS", javaOptions);
    OncegateProcess process =
        OncegateProcess.start(
            directory,
            environment,
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--ops-port",
            "0",
            "--postgres",
            database.uri());
    List<URI> addresses = process.ready();
    return new DrillNode(name, process, addresses.get(0), addresses.get(1));
  }

  /** The sum of a counter over all its series of a tenant; 0 where there is none. */
  long counted(String metric, String tenant, String label) throws Exception {
    return get(ops + "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .filter(line -> line.contains("tenant=\"" + tenant + "\"") && line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The status of {@code /health/ready}. */
  int ready() throws Exception {
    return get(ops + "/health/ready").statusCode();
  }

  private static HttpResponse<String> get(String uri) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(30)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.close();
  }
}

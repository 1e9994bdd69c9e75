package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.RawUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The probes once more, the same bytes to nginx before the same kind of upstream: a chain of both
 * must not see more requests in them than one, nor other bodies.
 */
class NginxIT extends GatewayTestBase {
  private static final Path NGINX = Path.of("/usr/sbin/nginx");

  /** What nginx refuses and we do not: a front that is stricter cannot be misled by it. */
  private static final Set<String> STRICTER_NGINX = Set.of("fold in another header");

  @TempDir Path directory;
  private RawUpstream behindUs;
  private RawUpstream behindNginx;
  private Gateway gateway;
  private int nginxPort;

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(NGINX), "no " + NGINX + ": install nginx-light to compare with it");
    String answer = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";
    behindUs = open(RawUpstream.answering(vertx, answer));
    behindNginx = open(RawUpstream.answering(vertx, answer));
    gateway = open(Gateway.before(vertx, behindUs.port()));
    // Where somebody else took the port first, nginx ends at once and gets another.
    await().until(() -> startNginx());
  }

  private boolean startNginx() throws Exception {
    nginxPort = freePort();
    Process nginx = nginx(configuration());
    await().until(() -> !nginx.isAlive() || Files.exists(directory.resolve("nginx.pid")));
    if (!nginx.isAlive()) {
      return false;
    }
    open(
        () -> {
          nginx.destroy();
          assertThat(nginx.waitFor(60, TimeUnit.SECONDS)).isTrue();
        });
    return true;
  }

  static List<FramingProbes.Probe> probes() {
    return FramingProbes.all();
  }

  @ParameterizedTest
  @MethodSource("probes")
  void noRequestIsUnderstoodOtherwiseThanByNginx(FramingProbes.Probe probe) throws Exception {
    Wire.exchange(gateway.port(), probe.bytes() + FramingProbes.LAST);
    Wire.exchange(nginxPort, probe.bytes() + FramingProbes.LAST);
    List<String> ours = behindUs.requests().stream().map(Wire::gist).toList();
    List<String> theirs = behindNginx.requests().stream().map(Wire::gist).toList();
    if (probe.slug() == null) {
      assertThat(theirs).isEqualTo(STRICTER_NGINX.contains(probe.name()) ? List.of() : ours);
    } else {
      // We may refuse more; what we do forward of it, nginx has forwarded as well.
      assertThat(theirs).containsAll(ours.stream().filter(r -> !r.equals("GET /last ")).toList());
    }
  }

  private String configuration() {
    return """
    daemon off;
    master_process off;
    worker_processes 1;
    pid %1$s/nginx.pid;
    error_log %1$s/error.log;
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path %1$s/body;
      proxy_temp_path %1$s/proxy;
      fastcgi_temp_path %1$s/fastcgi;
      uwsgi_temp_path %1$s/uwsgi;
      scgi_temp_path %1$s/scgi;
      server {
        listen 127.0.0.1:%2$d;
        location / {
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_pass http://127.0.0.1:%3$d;
        }
      }
    }
    """
        .formatted(directory, nginxPort, behindNginx.port());
  }

  private Process nginx(String configuration) throws IOException {
    Path file = Files.writeString(directory.resolve("nginx.conf"), configuration);
    return new ProcessBuilder(NGINX.toString(), "-p", directory.toString(), "-c", file.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("nginx.out").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}

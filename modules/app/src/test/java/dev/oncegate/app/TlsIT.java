package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.app.demo.LedgerUpstream;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS towards clients, by flags, over real sockets. */
class TlsIT {
  @TempDir Path directory;
  private TestCertificate certificate;
  private Vertx vertx;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    certificate = TestCertificate.make(directory, "gateway", "ip:127.0.0.1");
    int port = LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(port));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void clients_agreeOnHttp2OrHttp1_andShareTheirRecords() {
    try (OncegateProcess gateway = serve(certificate.certificate(), certificate.key())) {
      URI at = gateway.ready().get(0);
      assertThat(at.getScheme()).isEqualTo("https");
      assertThat(charge(at, HttpVersion.HTTP_2)).isEqualTo("HTTP_2 201 executed");
      assertThat(charge(at, HttpVersion.HTTP_1_1)).isEqualTo("HTTP_1_1 201 replayed");
    }
  }

  @Test
  void filesThatAreNoPem_endTheStartWithCode2() {
    Path tenants = directory.resolve("tenants.yaml");
    try (OncegateProcess gateway = serve(tenants, tenants)) {
      assertThat(gateway.exitCode()).isEqualTo(2);
      assertThat(gateway.err()).contains("cannot serve TLS with certificate " + tenants);
    }
  }

  private OncegateProcess serve(Path certificate, Path key) {
    return OncegateProcess.start(
        directory,
        Map.of("ONCEGATE_INSTANCES", "1", "ONCEGATE_HOST", "127.0.0.1"),
        "serve",
        "--port",
        "0",
        "--ops-port",
        "0",
        "--tls-cert",
        certificate.toString(),
        "--tls-key",
        key.toString());
  }

  private String charge(URI gateway, HttpVersion version) {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(version)
                .setTrustOptions(
                    new PemTrustOptions().addCertPath(certificate.certificate().toString())));
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(gateway.getHost())
            .setPort(gateway.getPort())
            .setURI("/shop/charges")
            .putHeader("Idempotency-Key", "k1")
            .putHeader("Content-Type", "application/json");
    HttpClientResponse answer =
        client
            .request(request)
            .compose(sent -> sent.send(Buffer.buffer("{\"amount\":500,\"currency\":\"EUR\"}")))
            .await();
    return answer.version()
        + " "
        + answer.statusCode()
        + " "
        + answer.getHeader("Idempotency-Status");
  }
}

package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.core.TenantPolicy.ClientCertificate;
import dev.oncegate.core.TenantPolicy.TlsSettings;
import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an upstream proves who it is, and what happens where it cannot. */
class UpstreamTlsIT extends GatewayTestBase {
  @TempDir static Path directory;
  private static TestCertificate server;
  private static TestCertificate stranger;

  private Gateway gateway;

  @BeforeAll
  static void makeCertificates() throws Exception {
    server = TestCertificate.make(directory, "server", "dns:payments.internal,dns:short");
    stranger = TestCertificate.make(directory, "stranger", "ip:127.0.0.1");
  }

  @BeforeEach
  void start() throws Exception {
    gateway = open(Gateway.start(vertx));
  }

  @Test
  void c17c_certificateThatNobodyTrusts_releases() throws Exception {
    ScriptedUpstream upstream = secure(server, null);
    for (Optional<TlsSettings> tls :
        List.of(
            Optional.<TlsSettings>empty(),
            Optional.of(tls(stranger, null, "payments.internal", true)))) {
      use(upstream, tls);
      HttpResponse<String> answer = gateway.charge("K", "{}");
      assertProblem(answer, 502, "upstream-unreachable", "released");
      assertThat(answer.body()).contains("TLS failed");
    }
    assertThat(gateway.records.size()).isZero();
    use(upstream, Optional.of(tls(server, null, "payments.internal", true)));
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c17c_certificateOfAnotherName_releases() throws Exception {
    ScriptedUpstream upstream = secure(server, null);
    use(upstream, Optional.of(tls(server, null, null, true)));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-unreachable", "released");
    use(upstream, Optional.of(tls(server, null, "other.internal", true)));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-unreachable", "released");
    use(upstream, Optional.of(tls(server, null, null, false)));
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void serverName_isAskedForAndVerified_andHostStaysBaseUrls() throws Exception {
    ScriptedUpstream upstream = secure(server, null);
    List<String> names = new java.util.concurrent.CopyOnWriteArrayList<>();
    upstream.script(
        (request, received) -> {
          names.add(String.valueOf(request.connection().indicatedServerName()));
          request.response().setStatusCode(201).end();
        });
    use(upstream, Optional.of(tls(server, null, "payments.internal", true)));
    assertExecuted(gateway.charge("K1", "{}"), 201);
    use(upstream, Optional.of(tls(server, null, "short", true)));
    assertExecuted(gateway.charge("K2", "{}"), 201);
    assertThat(names).containsExactly("payments.internal", "short");
    assertThat(upstream.ledger())
        .allMatch(r -> r.header("Host").equals(List.of("127.0.0.1:" + upstream.port())));
  }

  @Test
  void clientCertificate_isShownWhereThereIsOne() throws Exception {
    ScriptedUpstream upstream = secure(server, stranger);
    use(upstream, Optional.of(tls(server, null, "payments.internal", true)));
    // TLS 1.3 refuses a client after its handshake is over: what was sent then may have arrived.
    HttpResponse<String> without = gateway.charge("K1", "{}");
    assertThat(without.statusCode()).isEqualTo(502);
    use(upstream, Optional.of(tls(server, stranger, "payments.internal", true)));
    assertExecuted(gateway.charge("K2", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  private ScriptedUpstream secure(TestCertificate own, TestCertificate client) throws Exception {
    HttpServerOptions options =
        new HttpServerOptions()
            .setSsl(true)
            .setSni(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .addCertPath(own.certificate().toString())
                    .addKeyPath(own.key().toString()));
    if (client != null) {
      options
          .setClientAuth(ClientAuth.REQUIRED)
          .setTrustOptions(new PemTrustOptions().addCertPath(client.certificate().toString()));
    }
    return open(ScriptedUpstream.start(vertx, options)).answer(201, "ok");
  }

  private static TlsSettings tls(
      TestCertificate ca, TestCertificate client, String serverName, boolean verifyHost)
      throws Exception {
    return new TlsSettings(
        Optional.of(ca.certificate().toString()),
        client == null
            ? Optional.empty()
            : Optional.of(new ClientCertificate(client.certificate().toString(), client.keyText())),
        Optional.ofNullable(serverName),
        verifyHost);
  }

  private void use(ScriptedUpstream upstream, Optional<TlsSettings> tls) {
    TenantPolicy.Upstream settings =
        new TenantPolicy.Upstream(
            true,
            "127.0.0.1",
            upstream.port(),
            "",
            Policies.TIMEOUTS,
            TenantPolicy.Pool.BUILT_IN,
            tls);
    gateway.tenants.set(
        List.of(Policies.tenant("t1", settings, Policies.keyed("create-charge", "/charges"))));
  }
}

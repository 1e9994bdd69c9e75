package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The ops API of a running gateway. What it refuses ends the command with exit code 2, what cannot
 * be reached with 3 (contract §8).
 */
final class OpsClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** A verdict on a thousand records is a thousand commits in the worst case. */
  private static final Duration ANSWER = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final String base;
  private final String token;

  /**
   * For one gateway.
   *
   * @param base such as {@code http://127.0.0.1:8081}, without a slash at its end
   */
  OpsClient(String base, String token) {
    this.base = base;
    this.token = token;
  }

  /** One part of a path, or one value of a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A query string with its question mark, or nothing. */
  static String query(Map<String, String> values) {
    return values.isEmpty()
        ? ""
        : values.entrySet().stream()
            .map(value -> value.getKey() + "=" + encoded(value.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }

  /**
   * What the ops port said.
   *
   * @param body an answer, or a problem document
   */
  record Reply(int status, JsonObject body) {
    /** The answer; a refusal ends the command. */
    JsonObject answer() {
      if (status == 200) {
        return body;
      }
      throw failure(status, body);
    }
  }

  JsonObject get(String path) {
    return ask(path).answer();
  }

  /** For callers that make something of a refusal. */
  Reply ask(String path) {
    return send(request(path).build());
  }

  JsonObject post(String path, JsonObject body) {
    return send(request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.encode()))
            .build())
        .answer();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + "/api/v1" + path))
        .timeout(ANSWER)
        .header("Authorization", "Bearer " + token)
        .header("Accept", "application/json");
  }

  private Reply send(HttpRequest request) {
    HttpResponse<String> response;
    try {
      response = client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw StartFailure.unreachable(
          "the ops port " + base + " cannot be reached" + reason(e) + "; --ops names another", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StartFailure.unreachable("interrupted while the ops port " + base + " answered", e);
    }
    return new Reply(response.statusCode(), body(response));
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
  }

  private JsonObject body(HttpResponse<String> response) {
    try {
      return new JsonObject(response.body());
    } catch (DecodeException | ClassCastException e) {
      throw StartFailure.unreachable(
          base + " answers " + response.statusCode() + ", but not as an ops port does", e);
    }
  }

  private static StartFailure failure(int status, JsonObject problem) {
    String detail = problem.getString("detail", "it does not say why");
    if (status == 401) {
      return StartFailure.invalid(
          detail + " Give --token-file or ONCEGATE_ADMIN_TOKEN; serve prints a random one.");
    }
    return status >= 500
        ? StartFailure.unreachable("the ops port cannot answer: " + detail, null)
        : StartFailure.invalid(detail);
  }
}

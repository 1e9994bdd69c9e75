package dev.oncegate.app.proof;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Callers that send the next request when the one before is answered, to each node in turn. */
final class ClosedLoop {
  private final Vertx vertx;
  private final List<Node> nodes;
  private final String keyPrefix;
  private final AtomicInteger sent = new AtomicInteger();

  ClosedLoop(Vertx vertx, List<Node> nodes, String keyPrefix) {
    this.vertx = vertx;
    this.nodes = nodes;
    this.keyPrefix = keyPrefix;
  }

  /** An answer. */
  record Said(int status, String outcome, String body) {}

  /**
   * One key after the other, each so often in a row that several callers send it at a time.
   *
   * @return the answers of each key
   */
  List<List<Said>> run(int callers, int keys, int each) throws Exception {
    List<Queue<Said>> said =
        Stream.<Queue<Said>>generate(ConcurrentLinkedQueue::new).limit(keys).toList();
    HttpClient client =
        vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(callers));
    try {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        Promise<Void> done = Promise.promise();
        all.add(done.future());
        vertx.runOnContext(turn -> next(client, said, each, done));
      }
      Future.all(all).await(120, TimeUnit.SECONDS);
    } finally {
      client.close().await(60, TimeUnit.SECONDS);
    }
    return said.stream().map(List::copyOf).toList();
  }

  private void next(HttpClient client, List<Queue<Said>> said, int each, Promise<Void> done) {
    int number = sent.getAndIncrement();
    int key = number / each;
    if (key >= said.size()) {
      done.complete();
      return;
    }
    send(client, nodes.get(number % nodes.size()), keyPrefix + key)
        .onSuccess(
            answer -> {
              said.get(key).add(answer);
              next(client, said, each, done);
            })
        .onFailure(done::fail);
  }

  private static Future<Said> send(HttpClient client, Node node, String key) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(node.traffic() + Duplicates.PATH)
            .putHeader("Idempotency-Key", key)
            .putHeader("Content-Type", "application/json");
    return client
        .request(request)
        .compose(made -> made.send(Duplicates.BODY))
        .compose(ClosedLoop::said);
  }

  static Future<Said> said(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                new Said(
                    response.statusCode(),
                    String.valueOf(response.getHeader("Idempotency-Status")),
                    body.toString()));
  }
}

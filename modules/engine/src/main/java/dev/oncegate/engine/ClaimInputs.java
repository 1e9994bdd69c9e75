package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a claim keeps for another node or a person who will have to ask what became of it (contract
 * §6).
 *
 * @param method of the request that was sent
 * @param target path and query below the upstream's base path
 * @param upstreamKey the key that the upstream saw, where the route has one
 * @param path path parameters, in the client's own bytes
 * @param request headers and body, where the route keeps them
 */
public record ClaimInputs(
    String method,
    String target,
    Optional<String> upstreamKey,
    Map<String, String> path,
    Optional<KeptRequest> request) {

  private static final String METHOD = "method";
  private static final String TARGET = "target";
  private static final String UPSTREAM_KEY = "upstreamKey";
  private static final String PATH = "path.";
  private static final String BODY = "request.body";
  private static final String HEADER = "request.header.";

  public ClaimInputs {
    path = Map.copyOf(path);
  }

  /** A request as it was sent, without its credentials. */
  public record KeptRequest(List<HeaderField> headers, Bytes body) {
    public KeptRequest {
      headers = List.copyOf(headers);
    }
  }

  Bytes encode() {
    List<HeaderField> fields = new ArrayList<>();
    fields.add(new HeaderField(METHOD, method));
    fields.add(new HeaderField(TARGET, target));
    upstreamKey.ifPresent(key -> fields.add(new HeaderField(UPSTREAM_KEY, key)));
    path.forEach((name, value) -> fields.add(new HeaderField(PATH + name, value)));
    request.ifPresent(
        kept -> {
          kept.headers().forEach(h -> fields.add(new HeaderField(HEADER + h.name(), h.value())));
          fields.add(
              new HeaderField(BODY, Base64.getEncoder().encodeToString(kept.body().array())));
        });
    return FieldCodec.encode(fields);
  }

  /** The inputs in these bytes; empty where they are none. */
  static Optional<ClaimInputs> decode(Bytes bytes) {
    return FieldCodec.decode(bytes).flatMap(ClaimInputs::of);
  }

  private static Optional<ClaimInputs> of(List<HeaderField> fields) {
    Map<String, String> single = new LinkedHashMap<>();
    Map<String, String> path = new LinkedHashMap<>();
    List<HeaderField> headers = new ArrayList<>();
    for (HeaderField field : fields) {
      if (field.name().startsWith(HEADER)) {
        headers.add(new HeaderField(field.name().substring(HEADER.length()), field.value()));
      } else if (field.name().startsWith(PATH)) {
        path.put(field.name().substring(PATH.length()), field.value());
      } else {
        single.put(field.name(), field.value());
      }
    }
    String method = single.get(METHOD);
    String target = single.get(TARGET);
    String body = single.get(BODY);
    if (method == null || target == null) {
      return Optional.empty();
    }
    return Optional.of(
        new ClaimInputs(
            method,
            target,
            Optional.ofNullable(single.get(UPSTREAM_KEY)),
            path,
            Optional.ofNullable(body)
                .map(b -> new KeptRequest(headers, Bytes.wrap(Base64.getDecoder().decode(b))))));
  }

  /** Without the key: it may be the client's own. */
  @Override
  public String toString() {
    return "ClaimInputs[" + method + "]";
  }
}

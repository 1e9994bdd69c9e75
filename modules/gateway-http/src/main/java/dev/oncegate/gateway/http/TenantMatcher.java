package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.PathTemplate;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.core.TenantPolicy.ApiKeys;
import dev.oncegate.core.TenantPolicy.Match;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whose API is asked (contract §3). Host beats path prefix (longest first) beats API key.
 *
 * <p>The most specific place that fits decides: a wrong key there is 401 and never opens a less
 * specific entry, perhaps of another tenant. Entries of one and the same place are told apart by
 * the key.
 */
final class TenantMatcher {
  private TenantMatcher() {}

  /** Where a request came in. */
  sealed interface Entrance {
    /**
     * Into a tenant.
     *
     * @param prefix path prefix of the tenant's address; may be empty
     * @param path what routes and upstream see
     * @param apiKeyId who holds the key that opened the entry
     */
    record Entered(TenantPolicy tenant, String prefix, String path, Optional<String> apiKeyId)
        implements Entrance {}

    /** An entry fits, its key is missing or wrong. */
    record Locked(TenantPolicy tenant, String prefix) implements Entrance {}

    /** No entry fits. */
    record Nowhere() implements Entrance {}
  }

  private record Candidate(TenantPolicy tenant, Match match) {
    boolean samePlace(Candidate other) {
      return match.host().equals(other.match.host())
          && prefix().length() == other.prefix().length();
    }

    String prefix() {
      return match.pathPrefix().orElse("");
    }

    boolean byKeyAlone() {
      return match.host().isEmpty() && match.pathPrefix().isEmpty();
    }
  }

  private static final Comparator<Candidate> MOST_SPECIFIC_FIRST =
      Comparator.comparing((Candidate c) -> c.match().host().isEmpty())
          .thenComparing(c -> -c.prefix().length())
          .thenComparing(c -> c.match().apiKey().isEmpty());

  static Entrance match(RequestHead head, List<TenantPolicy> tenants) {
    List<Candidate> candidates = new ArrayList<>();
    for (TenantPolicy tenant : tenants) {
      for (Match match : tenant.matches()) {
        if (placeFits(match, head)) {
          candidates.add(new Candidate(tenant, match));
        }
      }
    }
    if (candidates.isEmpty()) {
      return new Entrance.Nowhere();
    }
    candidates.sort(MOST_SPECIFIC_FIRST);
    Candidate first = candidates.get(0);
    for (Candidate candidate : candidates) {
      if (!candidate.samePlace(first)) {
        break;
      }
      Optional<ApiKeys> keys = candidate.match().apiKey();
      Optional<String> holder = keys.flatMap(k -> holder(k, head));
      if (keys.isEmpty() || holder.isPresent()) {
        return entered(candidate, head, holder);
      }
    }
    // What only a key could have found must not be told apart from what is not there.
    return first.byKeyAlone()
        ? new Entrance.Nowhere()
        : new Entrance.Locked(first.tenant(), first.prefix());
  }

  private static boolean placeFits(Match match, RequestHead head) {
    return match.host().map(h -> h.equals(head.host())).orElse(true)
        && match.pathPrefix().map(p -> isBelow(head.path(), p)).orElse(true);
  }

  private static boolean isBelow(String path, String prefix) {
    String normalised = PathTemplate.normalise(path);
    String wanted = PathTemplate.normalise(prefix);
    return normalised.equals(wanted) || normalised.startsWith(wanted + "/");
  }

  private static Entrance entered(
      Candidate candidate, RequestHead head, Optional<String> apiKeyId) {
    String path =
        candidate.match().stripPrefix() ? strip(head.path(), candidate.prefix()) : head.path();
    return new Entrance.Entered(candidate.tenant(), candidate.prefix(), path, apiKeyId);
  }

  /** Cuts as many segments as the prefix has: its own spelling may be another (hex case). */
  private static String strip(String path, String prefix) {
    int at = 0;
    for (int slashes = (int) prefix.chars().filter(c -> c == '/').count(); slashes > 0; slashes--) {
      int next = path.indexOf('/', at + 1);
      at = next < 0 ? path.length() : next;
    }
    String rest = path.substring(at);
    return rest.isEmpty() ? "/" : rest;
  }

  /** The holder of the one key that was sent; every digest is compared, each in constant time. */
  private static Optional<String> holder(ApiKeys keys, RequestHead head) {
    List<String> sent = head.values(keys.header());
    if (sent.size() != 1) {
      return Optional.empty();
    }
    Bytes digest = sha256(sent.get(0));
    Optional<String> holder = Optional.empty();
    for (Map.Entry<String, List<Bytes>> entry : keys.digests().entrySet()) {
      for (Bytes known : entry.getValue()) {
        if (known.equals(digest)) {
          holder = Optional.of(entry.getKey());
        }
      }
    }
    return holder;
  }

  private static Bytes sha256(String value) {
    try {
      // Header values are kept as ISO 8859-1 characters: these are the bytes that were sent.
      byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

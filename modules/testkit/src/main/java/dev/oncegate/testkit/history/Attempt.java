package dev.oncegate.testkit.history;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request of a client, from its first byte to its answer; part of H.
 *
 * @param id goes upstream in a header and is no part of the fingerprint
 * @param tenant whose scope it is
 * @param key identity of the record it asks for, unique over all tenants
 * @param payload what the fingerprint covers: equal payloads are the same request
 * @param invoked in microseconds of the run's clock
 * @param ended likewise; of an attempt without an answer: when its client gave it up
 */
public record Attempt(
    String id, String tenant, String key, String payload, long invoked, long ended, Reply reply) {

  /**
   * What came back.
   *
   * @param answer for {@code response-not-kept} the original status and no digest
   * @param scope tenant that the body names as its owner, where it names one
   * @param deadline the retry deadline that it publishes, in microseconds
   */
  public record Reply(
      Said said,
      Answer answer,
      boolean reconstructed,
      Optional<String> scope,
      OptionalLong deadline) {
    /** The connection went, or the client did. */
    public static final Reply NONE =
        new Reply(Said.NOTHING, new Answer(0, ""), false, Optional.empty(), OptionalLong.empty());
  }

  Said said() {
    return reply.said();
  }

  Answer answer() {
    return reply.answer();
  }

  /** It may have been read long after its client had gone. */
  boolean answered() {
    return reply.said() != Said.NOTHING;
  }
}

package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a route finds out what became of a request whose outcome is not known (contract §4, §6).
 *
 * @param onAmbiguous as it is written
 * @param quarantine from the move to unknown: only then can nothing of that token arrive any more
 *     (reliability A2)
 * @param upstreamKey the key that the upstream sees, where the route chooses it
 * @param probe the read-only question, where there is one
 */
public record Reconciliation(
    OnAmbiguous onAmbiguous,
    Duration quarantine,
    Optional<UpstreamKey> upstreamKey,
    Optional<Probe> probe) {

  /** A person decides; for routes that say nothing. */
  public static Reconciliation hold(Duration quarantine) {
    return new Reconciliation(OnAmbiguous.AUTO, quarantine, Optional.empty(), Optional.empty());
  }

  /** What is written. */
  public enum OnAmbiguous {
    AUTO,
    HOLD,
    PROBE,
    RELEASE
  }

  /** What is done. */
  public enum Way {
    /** Stays unknown until a person resolves it. */
    HOLD,
    /** The tenant's API is asked. */
    PROBE,
    /** A retry goes out under the same upstream key. */
    RELEASE
  }

  /**
   * The way for a record of this route. What a way needs may have gone since the record was made;
   * then a person decides, for nothing may be released on a word that is no longer given.
   *
   * @param honoursKey the tenant's word, as it stands now, that its API executes one upstream key
   *     once
   */
  public Way way(boolean honoursKey) {
    boolean mayRelease = honoursKey && upstreamKey.isPresent();
    return switch (onAmbiguous) {
      case HOLD -> Way.HOLD;
      case PROBE -> probe.isPresent() ? Way.PROBE : Way.HOLD;
      case RELEASE -> mayRelease ? Way.RELEASE : Way.HOLD;
      case AUTO -> probe.isPresent() ? Way.PROBE : mayRelease ? Way.RELEASE : Way.HOLD;
    };
  }

  /**
   * The key that the upstream sees.
   *
   * @param secret reference of the key of the derivation; empty: the installation secret
   * @param tokenHeader carries the fencing token, for upstreams that refuse older ones
   */
  public record UpstreamKey(
      String header, Source value, Optional<String> secret, Optional<String> tokenHeader) {
    /** Where the value comes from. */
    public enum Source {
      /** As the client sent it. */
      CLIENT,
      /** A keyed digest of the record id, the same for every send. */
      DERIVED
    }
  }

  /**
   * A read-only question about an unknown outcome.
   *
   * @param method GET or HEAD
   * @param path below the upstream's base path; with placeholders in braces
   * @param headers with placeholders, or whole values by reference
   * @param every between two questions
   * @param giveUpAfter from the move to unknown; then an alarm and a person
   * @param keepRequest whether the claim keeps the request too
   */
  public record Probe(
      String method,
      String path,
      List<ProbeHeader> headers,
      Applied applied,
      NotApplied notApplied,
      Duration every,
      Duration giveUpAfter,
      boolean keepRequest) {
    public Probe {
      headers = List.copyOf(headers);
    }
  }

  /**
   * A header of a probe.
   *
   * @param reference whether the value is the name of a secret, such as {@code ${env:X}}
   */
  public record ProbeHeader(String name, String value, boolean reference) {}

  /**
   * Says that the effect is there; every condition must hold.
   *
   * @param pointer must lead to a value that is not null
   * @param replayAs status of the reconstructed answer
   * @param replayBody the part of the probe's body that is replayed; empty: all of it
   */
  public record Applied(
      Set<Integer> statuses,
      Optional<JsonPointer> pointer,
      int replayAs,
      Optional<JsonPointer> replayBody) {
    public Applied {
      statuses = Set.copyOf(statuses);
    }
  }

  /**
   * Says that there is no effect; every condition must hold.
   *
   * @param emptyArray must lead to an array, and the array must be empty
   */
  public record NotApplied(Set<Integer> statuses, Optional<JsonPointer> emptyArray) {
    public NotApplied {
      statuses = Set.copyOf(statuses);
    }
  }
}

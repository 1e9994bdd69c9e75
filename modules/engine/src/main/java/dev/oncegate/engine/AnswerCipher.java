package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.HeaderPolicy;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.port.Time;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * Turns answers into what the store keeps and back ({@link Sealing}). The digest is taken over the
 * stored bytes: it says nothing about their content, and it is the same when a completion is
 * repeated (ADR 0003).
 */
final class AnswerCipher {
  private final KeyRing keys;
  private final Sealing sealing;

  AnswerCipher(KeyRing keys, Time time) {
    this.keys = keys;
    this.sealing = new Sealing(time);
  }

  /** What opening a stored answer gives. */
  sealed interface Opened {
    record Plain(StoredResponse response) implements Opened {}

    record Damaged(String what) implements Opened {}
  }

  /**
   * The form in which the answer to an admitted request is kept.
   *
   * @param body empty where it is not kept
   */
  StoredAnswer seal(
      Admission admission, int status, List<HeaderField> headers, Optional<Bytes> body) {
    return seal(
        keys.keys(admission.tenant().id()),
        admission.id(),
        admission.route().protocol(),
        new StoredResponse(status, headers, body));
  }

  /**
   * The form in which the answer of a record is kept that somebody else claimed: under the secret
   * that the record names. Empty where that secret is not known any more.
   */
  Optional<StoredAnswer> seal(
      ClaimFacts facts, RoutePolicy.Protocol protocol, StoredResponse response) {
    return Optional.ofNullable(keys.keys(facts.tenant(), facts.secretId()))
        .map(its -> seal(its, facts.id(), protocol, response));
  }

  private StoredAnswer seal(
      KeyRing.TenantKeys its, RecordId id, RoutePolicy.Protocol protocol, StoredResponse response) {
    boolean sealed = protocol.encrypt();
    List<HeaderField> kept = HeaderPolicy.stored(response.headers(), protocol.neverStore());
    Bytes head = FieldCodec.encode(kept);
    Bytes storedHead = sealed ? sealing.seal(its, id, "head", head) : head;
    StoredBody storedBody =
        response
            .body()
            .map(b -> place(protocol.capture(), b, sealed ? sealing.seal(its, id, "body", b) : b))
            .orElseGet(StoredBody.NotKept::new);
    return new StoredAnswer(
        response.status(),
        storedHead,
        storedBody,
        digest(response.status(), storedHead, storedBody),
        sealed);
  }

  private static StoredBody place(RoutePolicy.Capture capture, Bytes plain, Bytes stored) {
    if (plain.length() > capture.max()) {
      return new StoredBody.NotKept();
    }
    return plain.length() <= capture.inline()
        ? new StoredBody.Inline(stored)
        : new StoredBody.ByReference(stored);
  }

  /** The plain answer, or what is wrong with the stored one. */
  Opened open(ClaimFacts facts, StoredAnswer answer) {
    if (!digest(answer.status(), answer.head(), answer.body()).equals(answer.digest())) {
      return new Opened.Damaged("the digest does not fit the stored bytes");
    }
    Optional<Bytes> body = bodyOf(answer.body());
    Bytes head = answer.head();
    if (answer.sealed()) {
      KeyRing.TenantKeys its = keys.keys(facts.tenant(), facts.secretId());
      if (its == null) {
        return new Opened.Damaged("sealed under an unknown secret " + facts.secretId());
      }
      Bytes openHead = Sealing.open(its, facts.id(), "head", head);
      Bytes openBody =
          body.isEmpty() ? Bytes.EMPTY : Sealing.open(its, facts.id(), "body", body.get());
      if (openHead == null || openBody == null) {
        return new Opened.Damaged("the stored bytes cannot be opened");
      }
      head = openHead;
      body = body.map(unused -> openBody);
    }
    Optional<List<HeaderField>> fields = FieldCodec.decode(head);
    if (fields.isEmpty()) {
      return new Opened.Damaged("the stored headers cannot be read");
    }
    return new Opened.Plain(new StoredResponse(answer.status(), fields.get(), body));
  }

  private static Optional<Bytes> bodyOf(StoredBody body) {
    if (body instanceof StoredBody.Inline inline) {
      return Optional.of(inline.bytes());
    } else if (body instanceof StoredBody.ByReference reference) {
      return Optional.of(reference.bytes());
    }
    return Optional.empty();
  }

  private static Bytes digest(int status, Bytes head, StoredBody body) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      Optional<Bytes> bytes = bodyOf(body);
      sha.update(ByteBuffer.allocate(8).putInt(status).putInt(head.length()).array());
      sha.update(head.array());
      sha.update((byte) (bytes.isPresent() ? 1 : 0));
      bytes.ifPresent(b -> sha.update(b.array()));
      return Bytes.wrap(sha.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

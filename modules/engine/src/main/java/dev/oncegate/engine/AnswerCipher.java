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
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Turns answers into what the store keeps and back. Sealed bytes are AES-256-GCM (NIST SP 800-38D)
 * under a key of the tenant's own, bound to the record id and to which part they are, so that no
 * row can lend its bytes to another. The digest is taken over the stored bytes: it says nothing
 * about their content, and it is the same when a completion is repeated.
 */
final class AnswerCipher {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final KeyRing keys;
  private final Time time;

  AnswerCipher(KeyRing keys, Time time) {
    this.keys = keys;
    this.time = time;
  }

  /** What opening a stored answer gives. */
  sealed interface Opened {
    record Plain(StoredResponse response) implements Opened {}

    record Damaged(String what) implements Opened {}
  }

  /**
   * The form in which an answer is kept.
   *
   * @param body empty where it is not kept
   */
  StoredAnswer seal(
      Admission admission, int status, List<HeaderField> headers, Optional<Bytes> body) {
    RoutePolicy.Protocol protocol = admission.route().protocol();
    boolean sealed = protocol.encrypt();
    RecordId id = admission.id();
    List<HeaderField> kept = HeaderPolicy.stored(headers, protocol.neverStore());
    Bytes head = FieldCodec.encode(kept);
    SecretKeySpec key = answerKey(keys.keys(admission.tenant().id()));
    Bytes storedHead = sealed ? encrypt(key, id, "head", head) : head;
    StoredBody storedBody =
        body.map(b -> place(protocol.capture(), b, sealed ? encrypt(key, id, "body", b) : b))
            .orElseGet(StoredBody.NotKept::new);
    return new StoredAnswer(
        status, storedHead, storedBody, digest(status, storedHead, storedBody), sealed);
  }

  private static StoredBody place(RoutePolicy.Capture capture, Bytes plain, Bytes stored) {
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
      KeyRing.TenantKeys tenantKeys = keys.keys(facts.tenant(), facts.secretId());
      if (tenantKeys == null) {
        return new Opened.Damaged("sealed under an unknown secret " + facts.secretId());
      }
      SecretKeySpec key = answerKey(tenantKeys);
      Bytes openHead = decrypt(key, facts.id(), "head", head);
      Bytes openBody = body.isEmpty() ? Bytes.EMPTY : decrypt(key, facts.id(), "body", body.get());
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

  /** What a probe or a person will need to ask; always sealed, since it holds the client's key. */
  Bytes sealInputs(Admission admission) {
    List<HeaderField> inputs = new ArrayList<>();
    inputs.add(new HeaderField("method", admission.request().method()));
    inputs.add(new HeaderField("target", admission.request().target()));
    inputs.add(new HeaderField("upstreamKey", admission.key().value()));
    admission.pathParameters().forEach((k, v) -> inputs.add(new HeaderField("path." + k, v)));
    SecretKeySpec key = answerKey(keys.keys(admission.tenant().id()));
    return encrypt(key, admission.id(), "inputs", FieldCodec.encode(inputs));
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

  private static SecretKeySpec answerKey(KeyRing.TenantKeys tenantKeys) {
    return new SecretKeySpec(tenantKeys.answers().array(), "AES");
  }

  private Bytes encrypt(SecretKeySpec key, RecordId id, String part, Bytes plain) {
    byte[] nonce = time.randomBytes(NONCE);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, id, part);
      byte[] out = new byte[NONCE + cipher.getOutputSize(plain.length())];
      System.arraycopy(nonce, 0, out, 0, NONCE);
      cipher.doFinal(plain.array(), 0, plain.length(), out, NONCE);
      return Bytes.wrap(out);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM could not seal", e);
    }
  }

  private static @Nullable Bytes decrypt(
      SecretKeySpec key, RecordId id, String part, Bytes sealed) {
    if (sealed.length() < NONCE + TAG_BITS / 8) {
      return null;
    }
    try {
      byte[] nonce = java.util.Arrays.copyOf(sealed.array(), NONCE);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, id, part);
      return Bytes.wrap(cipher.doFinal(sealed.array(), NONCE, sealed.length() - NONCE));
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, RecordId id, String part)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(id.digest().array());
    cipher.updateAAD(part.getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}

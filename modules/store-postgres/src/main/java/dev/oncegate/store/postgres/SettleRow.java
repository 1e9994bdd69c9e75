package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A settle as a row of one of the statements of {@link SettleSql}. */
final class SettleRow extends BatchRow {
  /** Id, token, digest and small things. */
  private static final int FIXED_BYTES = 150;

  private final FencingToken token;
  private final @Nullable StoredAnswer answer;
  private final String reason;

  private SettleRow(RecordId id, FencingToken token, @Nullable StoredAnswer answer, String reason) {
    super(id);
    this.token = token;
    this.answer = answer;
    this.reason = reason;
  }

  static SettleRow complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return new SettleRow(id, token, answer, "");
  }

  static SettleRow release(RecordId id, FencingToken token) {
    return new SettleRow(id, token, null, "");
  }

  static SettleRow markUnknown(RecordId id, FencingToken token, String reason) {
    return new SettleRow(id, token, null, Texts.bounded(reason));
  }

  FencingToken token() {
    return token;
  }

  StoredAnswer answer() {
    if (answer == null) {
      throw new BrokenInvariant("only a completion has an answer");
    }
    return answer;
  }

  String reason() {
    return reason;
  }

  @Override
  int bytes() {
    int bytes = FIXED_BYTES + reason.length();
    if (answer != null) {
      bytes += answer.head().length();
      if (answer.body() instanceof StoredBody.Inline kept) {
        bytes += kept.bytes().length();
      } else if (answer.body() instanceof StoredBody.ByReference kept) {
        bytes += kept.bytes().length();
      }
    }
    return bytes;
  }

  /** One of the statements. */
  record Shape(String sql, Function<List<SettleRow>, Tuple> parameters)
      implements BatchLane.Shape<SettleRow> {
    /** A settle waits for its row in any case: it has nothing else to do. */
    @Override
    public Tuple parameters(List<SettleRow> rows, boolean patient) {
      return parameters.apply(rows);
    }
  }
}

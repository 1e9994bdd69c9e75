package dev.oncegate.core;

/** Where the body of a stored answer is. */
public sealed interface StoredBody {
  /** Up to {@code capture.inline}: in the record itself. */
  record Inline(Bytes bytes) implements StoredBody {}

  /** Up to {@code capture.max}: in a table of its own, written in the same transaction. */
  record ByReference(Bytes bytes) implements StoredBody {}

  /** Beyond that, or an event stream: the record only says that it was executed. */
  record NotKept() implements StoredBody {}
}

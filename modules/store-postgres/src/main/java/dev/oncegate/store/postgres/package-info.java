/**
 * {@link dev.oncegate.engine.port.RecordStore} over Postgres. It rests on a unique index and
 * compare-and-set on single rows at READ COMMITTED on the primary, and on nothing else (reliability
 * finding 14); what a row means is decided by {@link dev.oncegate.core.RecordRules}.
 */
@NullMarked
package dev.oncegate.store.postgres;

import org.jspecify.annotations.NullMarked;

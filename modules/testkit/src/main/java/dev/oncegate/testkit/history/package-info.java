/**
 * The history checker: compares what clients saw, what the upstream's ledger says, and what the
 * records and their steps were (reliability §6). Pure: it reads what a run has gathered.
 */
@NullMarked
package dev.oncegate.testkit.history;

import org.jspecify.annotations.NullMarked;

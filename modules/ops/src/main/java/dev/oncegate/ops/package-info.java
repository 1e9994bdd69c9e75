/**
 * The ops port: health, metrics, records for people, and what happened as counters and log lines.
 */
@NullMarked
package dev.oncegate.ops;

import org.jspecify.annotations.NullMarked;

/** The ops port: health, metrics, and what happened as counters and log lines. */
@NullMarked
package dev.oncegate.ops;

import org.jspecify.annotations.NullMarked;

/** Waiters and owners talk over the event bus: hints that decide nothing (contract §1). */
@NullMarked
package dev.oncegate.parking.eventbus;

import org.jspecify.annotations.NullMarked;

/**
 * A simulated world around the real engine: nodes, database, network, upstream, clients and people
 * on one thread and virtual time, with the invariants checked after every event.
 */
@NullMarked
package dev.oncegate.testkit.sim;

import org.jspecify.annotations.NullMarked;

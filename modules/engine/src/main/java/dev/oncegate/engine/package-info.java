/** The use cases: one admission in, one answer out. Knows Vert.x futures, buffers and its ports. */
@NullMarked
package dev.oncegate.engine;

import org.jspecify.annotations.NullMarked;

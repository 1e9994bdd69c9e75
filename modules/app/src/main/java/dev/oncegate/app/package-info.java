/** The composition root: commands, configuration, wiring, start and stop. */
@NullMarked
package dev.oncegate.app;

import org.jspecify.annotations.NullMarked;

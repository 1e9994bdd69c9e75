/** One file per command; the only place that prints. */
@NullMarked
package dev.oncegate.app.cli;

import org.jspecify.annotations.NullMarked;

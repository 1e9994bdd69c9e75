/** What the engine needs from the outside; adapters implement these and never know each other. */
@NullMarked
package dev.oncegate.engine.port;

import org.jspecify.annotations.NullMarked;

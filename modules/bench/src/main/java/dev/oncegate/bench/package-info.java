/** Measurements over the whole of the product; nobody depends on them. */
@NullMarked
package dev.oncegate.bench;

import org.jspecify.annotations.NullMarked;

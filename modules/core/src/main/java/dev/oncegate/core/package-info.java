/** The rules of Oncegate as pure functions and values: no I/O, no clock, no randomness. */
@NullMarked
package dev.oncegate.core;

import org.jspecify.annotations.NullMarked;

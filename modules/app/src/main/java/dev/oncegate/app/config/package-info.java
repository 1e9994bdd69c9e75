/** Immutable settings, flags over environment, validated before anything starts. */
@NullMarked
package dev.oncegate.app.config;

import org.jspecify.annotations.NullMarked;

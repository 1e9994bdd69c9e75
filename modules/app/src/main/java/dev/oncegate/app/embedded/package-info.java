/** The durable Postgres that runs where no other is named, and the data directory it lives in. */
@NullMarked
package dev.oncegate.app.embedded;

import org.jspecify.annotations.NullMarked;

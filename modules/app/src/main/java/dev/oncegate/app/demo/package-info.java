/** What the demo adds: a sample upstream that counts its effects. */
@NullMarked
package dev.oncegate.app.demo;

import org.jspecify.annotations.NullMarked;

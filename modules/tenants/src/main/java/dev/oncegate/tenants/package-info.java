/**
 * Reads {@code tenants.yaml}: a tree with positions, its shape, what this release supports, the
 * merge of three levels, its sense, and the policies that the gateway serves by.
 */
@NullMarked
package dev.oncegate.tenants;

import org.jspecify.annotations.NullMarked;

/** The HTTP side: guard, tenant, route, admission, upstream, answers. */
@NullMarked
package dev.oncegate.gateway.http;

import org.jspecify.annotations.NullMarked;

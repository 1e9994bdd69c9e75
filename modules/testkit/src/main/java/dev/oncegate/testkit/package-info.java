/** Contract suites, the reference store and doubles: what the tests of every module use. */
@NullMarked
package dev.oncegate.testkit;

import org.jspecify.annotations.NullMarked;

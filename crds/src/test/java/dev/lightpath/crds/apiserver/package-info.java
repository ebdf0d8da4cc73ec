/** A real API server for tests; other modules use it by the test-jar of this one. */
@NullMarked
package dev.lightpath.crds.apiserver;

import org.jspecify.annotations.NullMarked;

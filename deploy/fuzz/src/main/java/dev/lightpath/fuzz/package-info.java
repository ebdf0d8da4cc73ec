/** Mutated inputs for the tests of readers of foreign bytes, in all modules. Knows nothing of any reader. */
@NullMarked
package dev.lightpath.fuzz;

import org.jspecify.annotations.NullMarked;

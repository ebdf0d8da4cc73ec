/** What a client of Watch may rely on. */
@NullMarked
package dev.lightpath.conformance.requirement.stream;

import org.jspecify.annotations.NullMarked;

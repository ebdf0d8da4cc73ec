/** What the contract demands, one requirement each, by chapter. */
@NullMarked
package dev.lightpath.conformance.requirement;

import org.jspecify.annotations.NullMarked;

/** The device under test and what a requirement may do with it, by the contract alone. */
@NullMarked
package dev.lightpath.conformance.bench;

import org.jspecify.annotations.NullMarked;

/** {@code lightpath ring}: bundles, placement and repair on an OCSTrx line or ring, without a cluster. */
@NullMarked
package dev.lightpath.cli.ring;

import org.jspecify.annotations.NullMarked;

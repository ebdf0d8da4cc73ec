/** {@code lightpath stripe}: a logical topology on striped switches. */
@NullMarked
package dev.lightpath.cli.stripe;

import org.jspecify.annotations.NullMarked;

/** Saves what is recorded of the light, and writes it into another cluster. */
@NullMarked
package dev.lightpath.cli.cluster.backup;

import org.jspecify.annotations.NullMarked;

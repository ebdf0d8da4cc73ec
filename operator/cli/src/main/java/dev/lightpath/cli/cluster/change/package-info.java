/** The commands that write a wish of a person into the cluster. */
@NullMarked
package dev.lightpath.cli.cluster.change;

import org.jspecify.annotations.NullMarked;

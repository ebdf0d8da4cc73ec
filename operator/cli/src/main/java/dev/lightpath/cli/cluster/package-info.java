/** The commands that look at, plan for and act on a cluster. */
@NullMarked
package dev.lightpath.cli.cluster;

import org.jspecify.annotations.NullMarked;

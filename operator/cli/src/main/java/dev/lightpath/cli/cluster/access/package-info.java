/** The connection to a cluster and to its operator, and what every command reads and prints. */
@NullMarked
package dev.lightpath.cli.cluster.access;

import org.jspecify.annotations.NullMarked;

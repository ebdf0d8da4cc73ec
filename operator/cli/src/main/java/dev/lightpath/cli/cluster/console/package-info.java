/** {@code kubectl lightpath console}: a server on this machine's loopback that shows a cluster to a browser. */
@NullMarked
package dev.lightpath.cli.cluster.console;

import org.jspecify.annotations.NullMarked;

/** Where fibres lead: asks the operator to find it, waits, and writes it down as manifests. */
@NullMarked
package dev.lightpath.cli.cluster.discover;

import org.jspecify.annotations.NullMarked;

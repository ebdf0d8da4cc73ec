/** Informers, and the ledger kept in FabricSlices. */
@NullMarked
package dev.lightpath.app.cluster;

import org.jspecify.annotations.NullMarked;

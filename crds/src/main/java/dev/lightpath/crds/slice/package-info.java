/** FabricSlice: the record of what each circuit is for, kept by the operator. */
@NullMarked
package dev.lightpath.crds.slice;

import org.jspecify.annotations.NullMarked;

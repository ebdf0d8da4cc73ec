/** Where a fabric learns how long iterations of its jobs take. */
@NullMarked
package dev.lightpath.crds.fabric.measurement;

import org.jspecify.annotations.NullMarked;

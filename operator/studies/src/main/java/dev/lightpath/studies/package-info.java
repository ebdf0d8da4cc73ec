/** Studies: the papers' tables and figures recomputed, and beyond. */
@NullMarked
package dev.lightpath.studies;

import org.jspecify.annotations.NullMarked;

/** Studies: the papers' tables and figures recomputed, and beyond. */
@NullMarked
package dev.lightpath.cli.study;

import org.jspecify.annotations.NullMarked;

/** The tables and figures of the InfinitePOD paper, recomputed. */
@NullMarked
package dev.lightpath.cli.study.ring;

import org.jspecify.annotations.NullMarked;

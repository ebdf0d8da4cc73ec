/** The tables and figures of the InfinitePOD paper, recomputed. */
@NullMarked
package dev.lightpath.studies.ring;

import org.jspecify.annotations.NullMarked;

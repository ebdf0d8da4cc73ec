/** Whose a pod is, and whether it uses light. */
@NullMarked
package dev.lightpath.reading.pod;

import org.jspecify.annotations.NullMarked;

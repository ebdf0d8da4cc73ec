/** What fabrics have in common, so that replicas can lead those side by side that have nothing. */
@NullMarked
package dev.lightpath.reading.share;

import org.jspecify.annotations.NullMarked;

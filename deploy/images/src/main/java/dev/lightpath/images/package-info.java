/**
 * Builds the container images of the operator, the driver, the emulator and the command line, without a daemon and
 * without a registry. Each image holds a Java runtime made by {@code jlink}, the C libraries that it needs, and the
 * program. It holds no shell. The kubectl plug-in is built here too, with the same runtime. The same inputs give the
 * same bytes.
 */
@NullMarked
package dev.lightpath.images;

import org.jspecify.annotations.NullMarked;

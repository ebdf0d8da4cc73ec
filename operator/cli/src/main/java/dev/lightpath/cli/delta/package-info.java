/** {@code lightpath delta}: the optimiser of circuits between pods, and the file form of its questions. */
@NullMarked
package dev.lightpath.cli.delta;

import org.jspecify.annotations.NullMarked;

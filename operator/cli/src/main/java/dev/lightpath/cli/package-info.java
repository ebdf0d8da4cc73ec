/** The {@code lightpath} command line and {@code kubectl lightpath} plug-in. */
@NullMarked
package dev.lightpath.cli;

import org.jspecify.annotations.NullMarked;

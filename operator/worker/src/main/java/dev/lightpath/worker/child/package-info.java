/** Searches in child processes, which can be ended. */
@NullMarked
package dev.lightpath.worker.child;

import org.jspecify.annotations.NullMarked;

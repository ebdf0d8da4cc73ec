/** Questions and solutions as messages; for the operator, the worker and its child processes. */
@NullMarked
package dev.lightpath.worker.wire;

import org.jspecify.annotations.NullMarked;

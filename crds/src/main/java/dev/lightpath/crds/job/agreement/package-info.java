/** How a job is asked before its light moves, and what it answered. */
@NullMarked
package dev.lightpath.crds.job.agreement;

import org.jspecify.annotations.NullMarked;

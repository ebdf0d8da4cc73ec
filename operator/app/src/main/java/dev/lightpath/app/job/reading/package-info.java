/** Gathers the facts of a job from the API server, and reads recorded traffic within limits. */
@NullMarked
package dev.lightpath.app.job.reading;

import org.jspecify.annotations.NullMarked;

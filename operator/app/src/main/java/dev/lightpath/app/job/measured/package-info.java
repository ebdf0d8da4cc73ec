/**
 * How long iterations of a job took, and what is learnt from that. Pure. {@link Measurements} is what a status keeps.
 */
@NullMarked
package dev.lightpath.app.job.measured;

import org.jspecify.annotations.NullMarked;

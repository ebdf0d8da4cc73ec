/** What a TrainingJob measured of its iterations, and what that taught. */
@NullMarked
package dev.lightpath.crds.job.measurement;

import org.jspecify.annotations.NullMarked;

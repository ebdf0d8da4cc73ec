/** TrainingJob: a training run and its optical circuits, written by users. */
@NullMarked
package dev.lightpath.crds.job;

import org.jspecify.annotations.NullMarked;

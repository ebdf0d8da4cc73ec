/** TrainingJob: what a user wants to train and on which light. */
@NullMarked
package dev.lightpath.crds.job;

import org.jspecify.annotations.NullMarked;

/**
 * TrainingJobs: from what is known of a job, what to do next and what to tell its user. {@link JobPlan} decides and is
 * pure; {@link TrainingJobReconciler} gathers, carries out and writes the status.
 */
@NullMarked
package dev.lightpath.app.job;

import org.jspecify.annotations.NullMarked;

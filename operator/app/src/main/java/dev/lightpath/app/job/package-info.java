/**
 * TrainingJobs. {@link TrainingJobReconciler} reads the facts of a job, has {@code plan} decide, carries out the steps
 * and writes the status. Its rooms, each of which knows only those before it: {@code facts}, {@code workload},
 * {@code plan}, {@code reading}, {@code effects}.
 */
@NullMarked
package dev.lightpath.app.job;

import org.jspecify.annotations.NullMarked;

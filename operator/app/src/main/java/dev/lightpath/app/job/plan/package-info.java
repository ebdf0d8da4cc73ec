/**
 * What to do next for a job, in order, and what to tell its user. Pure: {@link JobPlan} decides, {@link JobReport}
 * tells.
 */
@NullMarked
package dev.lightpath.app.job.plan;

import org.jspecify.annotations.NullMarked;

/** The pods of a job: what is made of its template, whose a pod is, and the patch that lets one go to its node. */
@NullMarked
package dev.lightpath.app.job.workload;

import org.jspecify.annotations.NullMarked;

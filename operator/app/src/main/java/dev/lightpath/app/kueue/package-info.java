/**
 * Kueue's objects: AdmissionChecks of ours, Workloads that wait for one, and the answers to them. What is answered for
 * a TrainingJob is decided in {@code job.plan}.
 */
@NullMarked
package dev.lightpath.app.kueue;

import org.jspecify.annotations.NullMarked;

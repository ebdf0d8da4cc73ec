/** Carries out the steps of a plan, and removes slices whose circuits are released. */
@NullMarked
package dev.lightpath.app.job.effects;

import org.jspecify.annotations.NullMarked;

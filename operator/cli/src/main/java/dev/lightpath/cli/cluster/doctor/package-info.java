/**
 * {@code kubectl lightpath doctor}: is this cluster ready for its first job? {@code Examination} asks the API server,
 * each {@code ...Check} judges what it said, purely.
 */
@NullMarked
package dev.lightpath.cli.cluster.doctor;

import org.jspecify.annotations.NullMarked;

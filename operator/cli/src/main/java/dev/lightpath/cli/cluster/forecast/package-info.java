/** The commands that compute what a job or a fault would do, without doing it. */
@NullMarked
package dev.lightpath.cli.cluster.forecast;

import org.jspecify.annotations.NullMarked;

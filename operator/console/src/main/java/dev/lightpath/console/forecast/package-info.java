/** What a fault would do, simulated on what is known of a cluster. */
@NullMarked
package dev.lightpath.console.forecast;

import org.jspecify.annotations.NullMarked;

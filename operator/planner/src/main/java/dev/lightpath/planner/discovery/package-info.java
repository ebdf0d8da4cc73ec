/**
 * Where the fibres of optical switches lead, found by probing circuits on ports that nobody uses: what is known of a
 * switch, and which circuit is tried next. It knows no fabric: what a probe may touch is said from outside.
 */
@NullMarked
package dev.lightpath.planner.discovery;

import org.jspecify.annotations.NullMarked;

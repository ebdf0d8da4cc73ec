/** Where the fibres of switches lead, found by circuits that are made for a moment. The door is {@code Probing}. */
@NullMarked
package dev.lightpath.planner.engine.probing;

import org.jspecify.annotations.NullMarked;

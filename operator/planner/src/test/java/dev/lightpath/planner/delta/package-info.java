@NullMarked
package dev.lightpath.planner.delta;

import org.jspecify.annotations.NullMarked;

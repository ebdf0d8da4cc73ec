@NullMarked
package dev.lightpath.planner.ask;

import org.jspecify.annotations.NullMarked;

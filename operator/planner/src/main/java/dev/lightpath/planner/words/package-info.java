/** How things are said to people. */
@NullMarked
package dev.lightpath.planner.words;

import org.jspecify.annotations.NullMarked;

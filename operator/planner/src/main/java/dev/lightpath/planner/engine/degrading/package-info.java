/** Light that gets worse before it is lost: where that is measured, and which ports are taken out for it. */
@NullMarked
package dev.lightpath.planner.engine.degrading;

import org.jspecify.annotations.NullMarked;

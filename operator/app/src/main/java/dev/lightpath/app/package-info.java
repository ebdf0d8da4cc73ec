/** The Quarkus shell: reads the world, carries out what the planner decided, publishes the outcome. */
@NullMarked
package dev.lightpath.app;

import org.jspecify.annotations.NullMarked;

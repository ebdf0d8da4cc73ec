/** What devices are, the light they carry and the changes that can be asked of them. */
@NullMarked
package dev.lightpath.planner.light;

import org.jspecify.annotations.NullMarked;

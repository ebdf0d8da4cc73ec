/** What planning costs as a cluster grows: the planner and transceivers on paper, in one process. */
@NullMarked
package dev.lightpath.studies.scale;

import org.jspecify.annotations.NullMarked;

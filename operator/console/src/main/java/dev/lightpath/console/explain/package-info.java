/** Why a job's light is as it is. */
@NullMarked
package dev.lightpath.console.explain;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.lightpath.app.job.measured;

import org.jspecify.annotations.NullMarked;

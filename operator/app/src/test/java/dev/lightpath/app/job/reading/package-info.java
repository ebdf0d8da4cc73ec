@NullMarked
package dev.lightpath.app.job.reading;

import org.jspecify.annotations.NullMarked;

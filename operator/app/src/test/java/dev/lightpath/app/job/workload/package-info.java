@NullMarked
package dev.lightpath.app.job.workload;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.lightpath.app.job.plan;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.lightpath.app.job.facts;

import org.jspecify.annotations.NullMarked;

/** The series that the operator exports. */
@NullMarked
package dev.lightpath.app.publish.metrics;

import org.jspecify.annotations.NullMarked;

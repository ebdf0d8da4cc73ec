/** Whether a job can be served as it is written, by what its spec and its fabrics alone say. */
@NullMarked
package dev.lightpath.reading.acceptance;

import org.jspecify.annotations.NullMarked;

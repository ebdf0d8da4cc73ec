/** The commands that show how jobs, fabrics and light stand. */
@NullMarked
package dev.lightpath.cli.cluster.show;

import org.jspecify.annotations.NullMarked;

/** Asks drivers themselves, as their administrator: the only commands that do not go through the API server. */
@NullMarked
package dev.lightpath.cli.cluster.driver;

import org.jspecify.annotations.NullMarked;

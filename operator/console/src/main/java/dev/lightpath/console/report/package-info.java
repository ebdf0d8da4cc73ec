/** What is told of a cluster, from its objects: the documents of the command line and of the console. */
@NullMarked
package dev.lightpath.console.report;

import org.jspecify.annotations.NullMarked;

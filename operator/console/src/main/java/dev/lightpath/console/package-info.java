/** The console: what is looked at, what changed since, and the files of the page. */
@NullMarked
package dev.lightpath.console;

import org.jspecify.annotations.NullMarked;

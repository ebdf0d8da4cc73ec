/** Which document a view of the console asks for. */
@NullMarked
package dev.lightpath.console.view;

import org.jspecify.annotations.NullMarked;

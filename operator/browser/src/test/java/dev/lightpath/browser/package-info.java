/** The console as a browser shows it. */
@NullMarked
package dev.lightpath.browser;

import org.jspecify.annotations.NullMarked;

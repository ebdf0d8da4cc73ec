/** Tables and lines of text for people. */
@NullMarked
package dev.lightpath.console.text;

import org.jspecify.annotations.NullMarked;

/**
 * What the views of the console draw, derived from one {@link dev.lightpath.console.Look}; plain records, JSON as they
 * are.
 */
@NullMarked
package dev.lightpath.console.picture;

import org.jspecify.annotations.NullMarked;

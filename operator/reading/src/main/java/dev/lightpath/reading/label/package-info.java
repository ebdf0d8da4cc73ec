/** Labels and label selectors. */
@NullMarked
package dev.lightpath.reading.label;

import org.jspecify.annotations.NullMarked;

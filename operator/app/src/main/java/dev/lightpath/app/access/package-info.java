/** Who asks over HTTP, what they may see, and how many are answered at once. */
@NullMarked
package dev.lightpath.app.access;

import org.jspecify.annotations.NullMarked;

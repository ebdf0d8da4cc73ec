/** Tells people how everything stands: status, events, metrics and the view. Decides nothing. */
@NullMarked
package dev.lightpath.app.publish;

import org.jspecify.annotations.NullMarked;

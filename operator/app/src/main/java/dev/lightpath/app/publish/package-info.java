/**
 * Tells people how everything stands. Decides nothing. {@link StatusPublisher} hands each outcome to the rooms below.
 */
@NullMarked
package dev.lightpath.app.publish;

import org.jspecify.annotations.NullMarked;

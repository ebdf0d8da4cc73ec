/**
 * Questions to DELTA, answered beside the planning loop: asked in a pass, remembered by content, told to the next one.
 */
@NullMarked
package dev.lightpath.app.solving;

import org.jspecify.annotations.NullMarked;

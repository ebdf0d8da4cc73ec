/**
 * Pods that are asked by HTTP before light of their job moves. Beside the loop and the reconciler: neither waits for an
 * answer.
 *
 * <p>Start reading at {@link dev.lightpath.app.agreeing.AskedHooks}.
 */
@NullMarked
package dev.lightpath.app.agreeing;

import org.jspecify.annotations.NullMarked;

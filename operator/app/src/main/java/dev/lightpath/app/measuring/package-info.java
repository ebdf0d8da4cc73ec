/**
 * How long iterations of jobs take, as a Prometheus tells that a fabric names. Beside the loop: no pass waits for it,
 * and none reads it.
 *
 * <p>Start reading at {@link dev.lightpath.app.measuring.QueriedTimes}.
 */
@NullMarked
package dev.lightpath.app.measuring;

import org.jspecify.annotations.NullMarked;

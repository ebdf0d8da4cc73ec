/**
 * The contract's logic, once for all device families: fencing, idempotency, compare-and-set, scope, read-back,
 * observation.
 */
@NullMarked
package dev.lightpath.driver.contract;

import org.jspecify.annotations.NullMarked;

/**
 * The state that the driver must never lose: epochs, operations, the makers of circuits, overrides, the last known
 * devices.
 */
@NullMarked
package dev.lightpath.driver.ledger;

import org.jspecify.annotations.NullMarked;

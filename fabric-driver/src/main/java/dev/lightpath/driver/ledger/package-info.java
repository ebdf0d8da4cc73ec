/** What the driver must never forget: epochs, operations, who made a circuit, overrides, the last known devices. */
@NullMarked
package dev.lightpath.driver.ledger;

import org.jspecify.annotations.NullMarked;

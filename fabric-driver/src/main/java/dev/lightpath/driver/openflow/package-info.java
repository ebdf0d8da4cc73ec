/** Switches that speak OpenFlow 1.3 or 1.4 and connect to the driver: a circuit is a flow from one port to another. */
@NullMarked
package dev.lightpath.driver.openflow;

import org.jspecify.annotations.NullMarked;

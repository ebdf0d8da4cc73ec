/**
 * Switches that speak OpenFlow 1.3 or 1.4 and connect to the driver: a circuit is a flow from one port to another.
 *
 * <p>The few messages that this takes are written and read here, and not by openflowj: what is used is what is tested
 * against Open vSwitch and fuzzed, every length is checked before memory is taken for it, and one module less is in the
 * driver.
 */
@NullMarked
package dev.lightpath.driver.openflow;

import org.jspecify.annotations.NullMarked;

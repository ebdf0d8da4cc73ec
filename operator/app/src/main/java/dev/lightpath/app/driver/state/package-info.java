/** What messages of drivers say, as values of the planner: devices with their circuits, alarms and inventories. */
@NullMarked
package dev.lightpath.app.driver.state;

import org.jspecify.annotations.NullMarked;

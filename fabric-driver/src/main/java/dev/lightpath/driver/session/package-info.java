/**
 * Switches that the driver connects to, whatever protocol they speak: when to connect, what to report, when to ask again.
 */
@NullMarked
package dev.lightpath.driver.session;

import org.jspecify.annotations.NullMarked;

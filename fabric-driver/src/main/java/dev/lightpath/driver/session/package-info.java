/**
 * Switches with a session each, whatever protocol they speak and whoever connects: what to report, when to ask again.
 */
@NullMarked
package dev.lightpath.driver.session;

import org.jspecify.annotations.NullMarked;

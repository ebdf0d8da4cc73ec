/**
 * The packaged operator as a process of its own, between a real API server and emulated transceivers behind a real
 * driver.
 */
@NullMarked
package dev.lightpath.app.whole;

import org.jspecify.annotations.NullMarked;

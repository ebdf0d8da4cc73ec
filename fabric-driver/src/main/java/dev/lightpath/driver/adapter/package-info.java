/**
 * What a device family must offer the driver: one small interface and its values. Everything else is the contract's
 * work.
 */
@NullMarked
package dev.lightpath.driver.adapter;

import org.jspecify.annotations.NullMarked;

/**
 * What the driver tells by HTTP: health, metrics to known callers, and to those on its host the audit log and the
 * journal.
 */
@NullMarked
package dev.lightpath.driver.http;

import org.jspecify.annotations.NullMarked;

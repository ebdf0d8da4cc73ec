/** The audit log: one line per change. */
@NullMarked
package dev.lightpath.driver.audit;

import org.jspecify.annotations.NullMarked;

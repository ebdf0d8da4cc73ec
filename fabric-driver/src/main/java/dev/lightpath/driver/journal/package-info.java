/** An append-only file of checksummed frames with group commit: acknowledged records survive a crash at any byte. */
@NullMarked
package dev.lightpath.driver.journal;

import org.jspecify.annotations.NullMarked;

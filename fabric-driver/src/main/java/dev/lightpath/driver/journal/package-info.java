/** An append-only file of checksummed frames with group commit: what was acknowledged survives a crash at any byte. */
@NullMarked
package dev.lightpath.driver.journal;

import org.jspecify.annotations.NullMarked;

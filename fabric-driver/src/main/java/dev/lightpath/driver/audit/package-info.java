/** One line per change, for people who must answer for it. */
@NullMarked
package dev.lightpath.driver.audit;

import org.jspecify.annotations.NullMarked;

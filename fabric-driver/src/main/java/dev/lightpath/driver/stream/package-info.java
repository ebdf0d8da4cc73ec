/** The stream that tells of devices, whatever speaks on it. */
@NullMarked
package dev.lightpath.driver.stream;

import org.jspecify.annotations.NullMarked;

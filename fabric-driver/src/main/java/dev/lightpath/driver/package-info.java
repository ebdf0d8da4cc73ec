/** The driver server: the southbound contract once, one small adapter per device family. */
@NullMarked
package dev.lightpath.driver;

import org.jspecify.annotations.NullMarked;

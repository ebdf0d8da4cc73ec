/** The driver's configuration file and its errors. */
@NullMarked
package dev.lightpath.driver.config;

import org.jspecify.annotations.NullMarked;

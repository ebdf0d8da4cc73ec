/** What a driver adds to the time and memory of the switches behind it, by management protocol. */
@NullMarked
package dev.lightpath.benchmarks.switches;

import org.jspecify.annotations.NullMarked;

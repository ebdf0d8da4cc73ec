@NullMarked
package dev.lightpath.benchmarks.whole;

import org.jspecify.annotations.NullMarked;

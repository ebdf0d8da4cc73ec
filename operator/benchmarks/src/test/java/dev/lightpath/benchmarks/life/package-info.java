@NullMarked
package dev.lightpath.benchmarks.life;

import org.jspecify.annotations.NullMarked;

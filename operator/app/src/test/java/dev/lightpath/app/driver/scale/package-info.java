/** The fleet and ten thousand agents: measured by hand, {@code operator/benchmarks/agents}. */
@NullMarked
package dev.lightpath.app.driver.scale;

import org.jspecify.annotations.NullMarked;

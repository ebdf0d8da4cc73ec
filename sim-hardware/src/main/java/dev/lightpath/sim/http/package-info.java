/** Health, metrics and ground truth for tools that speak HTTP. */
@NullMarked
package dev.lightpath.sim.http;

import org.jspecify.annotations.NullMarked;

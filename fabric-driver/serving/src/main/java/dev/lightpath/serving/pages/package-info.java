/** A few pages by HTTP beside a gRPC server: health, and metrics for known callers. */
@NullMarked
package dev.lightpath.serving.pages;

import org.jspecify.annotations.NullMarked;

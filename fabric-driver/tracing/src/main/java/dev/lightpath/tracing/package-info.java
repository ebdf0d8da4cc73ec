/**
 * One identifier for what happens to one thing, in log lines, traces and metrics of every process that has a part in
 * it. Traces are exported by OpenTelemetry if the environment says where to; the identifier is there without that too.
 */
@NullMarked
package dev.lightpath.tracing;

import org.jspecify.annotations.NullMarked;

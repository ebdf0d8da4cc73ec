/**
 * How soon jobs in queues of a real Kueue are Ready: {@code operator/benchmarks/queues}, {@code docs/performance.md}.
 */
@NullMarked
package dev.lightpath.benchmarks.queue;

import org.jspecify.annotations.NullMarked;

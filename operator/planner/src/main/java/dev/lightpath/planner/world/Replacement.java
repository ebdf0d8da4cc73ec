package dev.lightpath.planner.world;

import java.time.Duration;

/** When a job's ranks may move to other nodes after a fault ({@code recovery.replace}). */
public sealed interface Replacement {
    /** A health key is enough. */
    record Immediately() implements Replacement {}

    /** A health key and the workload key. */
    record WithWorkload() implements Replacement {}

    /** The health key, and then this long. */
    record After(Duration delay) implements Replacement {}

    record Never() implements Replacement {}
}

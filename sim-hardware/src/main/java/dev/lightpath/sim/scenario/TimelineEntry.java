package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.fault.FaultRequest;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens by itself.
 *
 * @param atMillis when, counted from the start of the time line, in emulated time
 * @param repeatMillis period of its repetition, 0 for once
 * @param inject what breaks; null for a clearing
 * @param clearDevice faults of this device end; empty: of all devices. Only without {@code inject}
 */
public record TimelineEntry(
        long atMillis, long repeatMillis, @Nullable FaultRequest inject, String clearDevice) {}

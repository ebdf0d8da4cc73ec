package dev.lightpath.planner.share;

import java.time.Duration;

/**
 * A Lease as it was read.
 *
 * @param holder empty when it was given back
 * @param shared whether it is held for all replicas that share: of {@link Seat#GUARD} only
 * @param version another one after each write
 * @param lasts how long after a write nobody else may take it
 */
public record SeenLease(Seat seat, String holder, boolean shared, String version, Duration lasts) {}

package dev.lightpath.app.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The wall clock, and whether it was set since it was last read (ADR 27). Serves one thread. */
final class WallClock {
    /** What the clock's ordinary discipline and the time between two instructions account for. */
    private static final Duration ORDINARY = Duration.ofMillis(100);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private Instant seen;
    private long seenNanos;

    /** @param nanoTime as {@link System#nanoTime}: elapsed time, which cannot be set */
    WallClock(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.seen = clock.instant();
        this.seenNanos = nanoTime.getAsLong();
    }

    /** By how much it was set since the last call, negative when back; zero while it only runs. */
    Duration jumped() {
        Instant now = clock.instant();
        long nowNanos = nanoTime.getAsLong();
        Duration jump = Duration.between(seen.plusNanos(nowNanos - seenNanos), now);
        seen = now;
        seenNanos = nowNanos;
        return jump.abs().compareTo(ORDINARY) < 0 ? Duration.ZERO : jump;
    }
}

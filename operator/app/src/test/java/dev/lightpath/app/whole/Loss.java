package dev.lightpath.app.whole;

import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** One event never reaches the operator: of a resource, by any of its watches, or of the driver's stream. */
final class Loss implements Disturbance {
    /** Watches end by themselves after minutes; here after seconds. */
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Optional<String> resource;
    private final int number;
    private final Moments moments = new Moments();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private volatile long endedNanos;
    private volatile boolean met;

    /** @param resource plural; empty: a message of the stream */
    Loss(Optional<String> resource, int number) {
        this.resource = resource;
        this.number = number;
    }

    @Override
    public String name() {
        return "lost " + resource.map(of -> "event of " + of).orElse("message of the stream") + " #" + number;
    }

    @Override
    public void begin(Installation all) {
        if (resource.isPresent()) {
            all.tap.watch(this::passes);
        } else {
            all.deviceTap.watch(this::passes);
        }
    }

    private boolean passes(String of, String event) {
        if (resource.filter(of::equals).isEmpty()) {
            return true;
        }
        if (moments.event(of, event) == number) {
            lost.add(event);
            endedNanos = System.nanoTime();
            met = true;
        }
        return !lost.contains(event);
    }

    private boolean passes(WatchResponse message) {
        if (!isNews(message) || met || moments.message() != number) {
            return true;
        }
        met = true;
        return false;
    }

    static boolean isNews(WatchResponse message) {
        return !message.hasHeartbeat() && !message.hasSnapshot() && !message.hasSynced();
    }

    @Override
    public void still(Installation all) {
        if (resource.isPresent() && met && System.nanoTime() - endedNanos > LIFE_NANOS) {
            endedNanos = System.nanoTime();
            all.tap.endWatches();
        }
    }

    @Override
    public void end(Installation all, LightLog light) {
        all.tap.watch(WriteTap.ALL);
        all.deviceTap.watch(message -> true);
    }

    @Override
    public boolean met() {
        return met;
    }
}

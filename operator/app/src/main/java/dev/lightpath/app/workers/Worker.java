package dev.lightpath.app.workers;

import io.grpc.ManagedChannel;

/** One worker, as we know it. Its state is guarded by {@link Workers}. */
final class Worker {
    private final String address;
    private final ManagedChannel channel;
    private int running;
    private long usedNanos;
    private boolean aside;
    private long asideUntilNanos;

    Worker(String address, ManagedChannel channel, long nowNanos) {
        this.address = address;
        this.channel = channel;
        this.usedNanos = nowNanos;
    }

    String address() {
        return address;
    }

    ManagedChannel channel() {
        return channel;
    }

    int running() {
        return running;
    }

    long usedNanos() {
        return usedNanos;
    }

    void begin(long nowNanos) {
        running++;
        usedNanos = nowNanos;
    }

    void end() {
        running--;
    }

    void setAside(long untilNanos) {
        aside = true;
        asideUntilNanos = untilNanos;
    }

    boolean isAside(long nowNanos) {
        return aside && nowNanos - asideUntilNanos < 0;
    }
}

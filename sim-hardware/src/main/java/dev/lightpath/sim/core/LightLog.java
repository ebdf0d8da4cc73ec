package dev.lightpath.sim.core;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** Every change of real light, numbered from 1, the newest {@code capacity} of them kept. */
public final class LightLog {
    private static final int FIRST_SIZE = 1024;

    private final LongSupplier nowNanos;
    private final int capacity;
    private long last;
    private long[] at = new long[FIRST_SIZE];
    private int[] ingress = new int[FIRST_SIZE];
    private int[] egress = new int[FIRST_SIZE];
    private LightChange[] change = new LightChange[FIRST_SIZE];

    /**
     * An empty log.
     *
     * @param capacity entries kept, a power of two and at least 1024
     */
    public LightLog(LongSupplier nowNanos, int capacity) {
        if (capacity < FIRST_SIZE || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + ", a power of two from 1024 is needed");
        }
        this.nowNanos = nowNanos;
        this.capacity = capacity;
    }

    /**
     * One change.
     *
     * @param seq its number
     * @param atNanos when, since the emulation began
     * @param change what
     * @param ingress where light enters, or the port of the receiver
     * @param egress where it leaves, -1 for a receiver
     */
    public record Entry(long seq, long atNanos, LightChange change, int ingress, int egress) {}

    void add(LightChange what, int in, int out) {
        if (last >= at.length && at.length < capacity) {
            grow();
        }
        int slot = (int) (last & (at.length - 1));
        last++;
        at[slot] = nowNanos.getAsLong();
        ingress[slot] = in;
        egress[slot] = out;
        change[slot] = what;
    }

    /** Number of the newest entry, 0 when there is none. */
    public long last() {
        return last;
    }

    /** Number of the oldest entry kept, 1 when there is none. */
    public long oldest() {
        return Math.max(1, last - at.length + 1);
    }

    /** An entry by its number, between {@link #oldest} and {@link #last}. */
    public Entry get(long seq) {
        if (seq < oldest() || seq > last) {
            throw new IllegalArgumentException("entry " + seq + ", kept are " + oldest() + ".." + last);
        }
        int slot = (int) ((seq - 1) & (at.length - 1));
        return new Entry(seq, at[slot], change[slot], ingress[slot], egress[slot]);
    }

    /** Only ever called before the first entry is overwritten, so slots keep their places. */
    private void grow() {
        int size = at.length * 2;
        at = Arrays.copyOf(at, size);
        ingress = Arrays.copyOf(ingress, size);
        egress = Arrays.copyOf(egress, size);
        change = Arrays.copyOf(change, size);
    }
}

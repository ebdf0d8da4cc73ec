package dev.lightpath.sim.cmis;

import java.nio.charset.StandardCharsets;

/** Bytes of one page or of the lower memory, which begins at byte 0. */
final class Memory {
    private static final int BYTES = 128;

    private final int first;
    private final byte[] bytes = new byte[BYTES];

    private Memory(int first) {
        this.first = first;
    }

    static Memory lower() {
        return new Memory(0);
    }

    static Memory page() {
        return new Memory(BYTES);
    }

    Memory set(int at, int value) {
        bytes[at - first] = (byte) value;
        return this;
    }

    /** The higher byte first. */
    Memory word(int at, int value) {
        return set(at, value >> 8).set(at + 1, value);
    }

    /** Padded with blanks. */
    Memory text(int at, int length, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < length; i++) {
            set(at + i, i < ascii.length ? ascii[i] : ' ');
        }
        return this;
    }

    Memory bytes(int at, byte[] from) {
        System.arraycopy(from, 0, bytes, at - first, from.length);
        return this;
    }

    /** The sum of these bytes, as its check. */
    Memory sum(int from, int to, int at) {
        int sum = 0;
        for (int i = from; i <= to; i++) {
            sum += bytes[i - first];
        }
        return set(at, sum);
    }

    int get(int at) {
        return bytes[at - first];
    }
}

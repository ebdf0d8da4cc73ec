package dev.lightpath.sim.core;

/**
 * Randomness without state. Every draw is a hash of the seed and of its purpose, so one draw never changes another and
 * the order of events does not matter.
 *
 * @param seed the seed of the whole emulation
 */
public record Chance(long seed) {
    /** Uniform in [0, 1). */
    public double unit(Draw what, long a, long b) {
        long h = mix(seed ^ mix(what.ordinal() + 1));
        h = mix(h ^ a);
        h = mix(h ^ b);
        return (h >>> 11) * 0x1p-53;
    }

    /** Uniform in [low, high). */
    public double between(Draw what, long a, long b, double low, double high) {
        return low + (high - low) * unit(what, a, b);
    }

    /** Standard normal, by the sum of twelve uniforms; never beyond six. */
    public double normal(Draw what, long a, long b) {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += unit(what, a * 31 + i, b);
        }
        return sum;
    }

    /** A 64-bit name. */
    public long name(Draw what, long a, long b) {
        return mix(mix(mix(seed ^ mix(what.ordinal() + 1)) ^ a) ^ b);
    }

    /** What a draw is for. */
    public enum Draw {
        /** Insertion loss of a path. */
        LOSS,
        /** Whether a path lies in the tail of the loss distribution. */
        LOSS_TAIL,
        /** Loss of a fibre. */
        FIBRE,
        /** Launch power of a transmitter. */
        LAUNCH,
        /** Noise of a power monitor. */
        NOISE,
        /** Duration of a move. */
        MOVE,
        /** Time a receiver takes to lock. */
        LOCK,
        /** Time to the next change of an intermittent port. */
        INTERMITTENT,
        /** Identity of a run of a device's management. */
        BOOT,
        /** Serial number. */
        SERIAL,
        /** Time between faults of a device or cable, and which of them it is. */
        FAULT_RATE,
        /** Which server of a trace a node is, and which of its fibres a fault takes. */
        SERVER,
        /** What the connector of a port throws back. */
        RETURN_LOSS
    }

    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

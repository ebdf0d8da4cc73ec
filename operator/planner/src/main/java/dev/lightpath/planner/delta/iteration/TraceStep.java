package dev.lightpath.planner.delta.iteration;

import java.util.List;

/** One step of one rank in an {@link ExecutionTrace}. */
public sealed interface TraceStep {
    /** For messages. */
    String name();

    /** Places, in the list of the same rank, of the steps that end before this one starts. */
    List<Integer> after();

    /** Computes or waits, {@code seconds} long. */
    record Compute(String name, List<Integer> after, double seconds) implements TraceStep {
        /** @throws IllegalArgumentException unless the duration is finite and not negative */
        public Compute {
            after = List.copyOf(after);
            requireAmount(seconds, name + ": seconds");
        }
    }

    /**
     * Sends {@code bytes}; ends when they have been sent. Meets the receive of the same place on the channel (from, to,
     * tag).
     */
    record Send(String name, List<Integer> after, int to, int tag, double bytes) implements TraceStep {
        /** @throws IllegalArgumentException unless the volume is finite and not negative */
        public Send {
            after = List.copyOf(after);
            requireAmount(bytes, name + ": bytes");
        }
    }

    /** Ends when what the sender sent has arrived. */
    record Receive(String name, List<Integer> after, int from, int tag) implements TraceStep {
        public Receive {
            after = List.copyOf(after);
        }
    }

    /**
     * A step of several ranks together: the n-th of a group on each of its ranks is one and the same.
     *
     * @param group ranks, ascending, at least one, this one among them
     * @param bytes that each rank puts in
     */
    record Collective(String name, List<Integer> after, CollectiveKind kind, List<Integer> group, double bytes)
            implements TraceStep {
        /** @throws IllegalArgumentException unless the volume is finite and not negative */
        public Collective {
            after = List.copyOf(after);
            group = List.copyOf(group);
            requireAmount(bytes, name + ": bytes");
        }
    }

    private static void requireAmount(double value, String field) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: a finite number, 0 or more");
        }
    }
}

package dev.lightpath.reading.traffic;

/** What may still be read of a trace. Each method takes from it, before the memory is taken. */
final class TraceAllowance {
    private final TraceLimits limits;
    private long bytes;
    private long nodes;
    private long dependencies;
    private long members;

    TraceAllowance(TraceLimits limits) {
        this.limits = limits;
    }

    /** @throws IllegalArgumentException saying what is too much */
    void record(long size) {
        bytes = upTo(bytes + size, limits.bytes(), "bytes unpacked");
        nodes = upTo(nodes + 1, limits.nodes(), "nodes");
    }

    /** @throws IllegalArgumentException saying what is too much */
    void dependencies(long more) {
        dependencies = upTo(dependencies + more, limits.dependencies(), "dependencies and members of groups");
    }

    /** @throws IllegalArgumentException saying what is too much */
    void members(long more) {
        members = upTo(members + more, limits.members(), "ranks in collectives");
    }

    private static long upTo(long sum, long most, String what) {
        if (sum > most) {
            throw new IllegalArgumentException("the traces have too many " + what + ", allowed: at most " + most
                    + " together; record fewer micro-batches");
        }
        return sum;
    }
}

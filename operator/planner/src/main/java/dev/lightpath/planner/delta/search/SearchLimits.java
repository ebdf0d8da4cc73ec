package dev.lightpath.planner.delta.search;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Limits of a search. The result depends on the budget, the seed and the moment of a stop, never on the number of
 * threads or on time.
 *
 * @param nodes most bounds and simulations a search may compute; 1 or more
 * @param threads threads that simulate at once, 1 or more
 * @param seed of all random draws
 * @param stop called often, on the calling thread; true ends the search with its best answer so far
 * @param progress gets each better answer, on the calling thread
 */
public record SearchLimits(long nodes, int threads, long seed, BooleanSupplier stop, Consumer<Progress> progress) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public SearchLimits {
        if (nodes < 1) {
            throw new IllegalArgumentException("nodes: " + nodes + ", allowed: 1 or more");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads: " + threads + ", allowed: 1 or more");
        }
    }

    /**
     * Enough for a joint proof on every workload of the paper: 400 000 nodes, one thread, seed 1, never stopped. O(1).
     */
    public static SearchLimits standard() {
        return new SearchLimits(400_000, 1, 1, () -> false, progress -> {});
    }

    /**
     * The same with another budget. O(1).
     *
     * @param most nodes, 1 or more
     * @throws IllegalArgumentException when it is less
     */
    public SearchLimits withNodes(long most) {
        return new SearchLimits(most, threads, seed, stop, progress);
    }

    /**
     * The same with other threads, which changes no answer. O(1).
     *
     * @param most threads, 1 or more
     * @throws IllegalArgumentException when it is less
     */
    public SearchLimits withThreads(int most) {
        return new SearchLimits(nodes, most, seed, stop, progress);
    }

    /** The same with another seed of the genetic algorithm (Algorithm 3). O(1). */
    public SearchLimits withSeed(long other) {
        return new SearchLimits(nodes, threads, other, stop, progress);
    }

    /** The same with another stop signal. O(1). */
    public SearchLimits stoppingWhen(BooleanSupplier signal) {
        return new SearchLimits(nodes, threads, seed, signal, progress);
    }

    /** The same with another listener. O(1). */
    public SearchLimits reportingTo(Consumer<Progress> listener) {
        return new SearchLimits(nodes, threads, seed, stop, listener);
    }

    /**
     * Progress of a search.
     *
     * @param objective best value so far: seconds, or ports when ports are minimised
     * @param bound no answer is below it
     * @param nodes spent so far
     */
    public record Progress(double objective, double bound, long nodes) {}
}

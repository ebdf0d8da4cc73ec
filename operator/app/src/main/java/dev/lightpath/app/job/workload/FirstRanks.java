package dev.lightpath.app.job.workload;

import java.util.List;
import java.util.OptionalInt;

/**
 * Ranks of the Jobs of a JobSet: each has those after the Job before it. Held for each replicated job, as a tenant
 * writes how many Jobs one has.
 *
 * @param replicated in the order of the JobSet
 */
public record FirstRanks(List<Replicated> replicated) {
    /** Of a workload that is not there. */
    public static final FirstRanks UNKNOWN = new FirstRanks(List.of());

    /** Of a Job alone, and of the one Job of our own JobSets. */
    public static final FirstRanks ALONE = new FirstRanks(List.of(new Replicated(1, true, 0, 0)));

    /**
     * @param jobs how many there are
     * @param works whether their pods are workers
     * @param first rank of the first pod of the first of them
     * @param pods of each, from 0
     */
    record Replicated(int jobs, boolean works, long first, int pods) {
        /** Of the Jobs after them; those that are no {@code int} are all alike. */
        long next() {
            return works ? Math.min(Integer.MAX_VALUE + 1L, first + (long) jobs * pods) : first;
        }
    }

    public FirstRanks {
        replicated = List.copyOf(replicated);
    }

    /** Whether the pods of a Job are workers. Of one that the JobSet does not have they are. */
    boolean isWorker(int job) {
        long before = 0;
        for (Replicated each : replicated) {
            if (job < before + each.jobs()) {
                return each.works();
            }
            before += each.jobs();
        }
        return true;
    }

    /** Rank of a pod by its Job and its index there; empty of one that is no worker. */
    OptionalInt of(int job, int index) {
        long before = 0;
        for (Replicated each : replicated) {
            if (job < before + each.jobs()) {
                long rank = each.first() + (job - before) * each.pods() + index;
                return each.works() && rank <= Integer.MAX_VALUE ? OptionalInt.of((int) rank) : OptionalInt.empty();
            }
            before += each.jobs();
        }
        return OptionalInt.empty();
    }
}

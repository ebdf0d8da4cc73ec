package dev.lightpath.planner.ring;

import java.util.Comparator;

/**
 * The request of one job for a ring, and its place in the queue.
 *
 * @param job name, unique among the requests
 * @param priority higher first
 * @param ageRank smaller is older; decides between equal priorities
 */
public record RingWish(String job, RingDemand demand, int priority, long ageRank) {

    /** Higher priority first, then older, then by name. */
    public static final Comparator<RingWish> ORDER = Comparator.comparingInt(RingWish::priority)
            .reversed()
            .thenComparingLong(RingWish::ageRank)
            .thenComparing(RingWish::job);
}

package dev.lightpath.planner.delta.model;

/**
 * Two different pods; a circuit between them carries both directions (Eq. 6). Ordered by first, then second id.
 *
 * @param first pod id
 * @param second pod id
 */
public record PodPair(int first, int second) implements Comparable<PodPair> {
    /** @throws IllegalArgumentException when both are the same pod */
    public PodPair {
        if (first == second) {
            throw new IllegalArgumentException("pair [" + first + "," + second + "], allowed: two different pods");
        }
    }

    /** The same pair with the smaller id first: the undirected pair of Eq. 6. O(1). */
    public PodPair sorted() {
        return first < second ? this : reversed();
    }

    /** The other direction. O(1). */
    public PodPair reversed() {
        return new PodPair(/* first= */ second, /* second= */ first);
    }

    @Override
    public int compareTo(PodPair other) {
        int byFirst = Integer.compare(first, other.first);
        return byFirst != 0 ? byFirst : Integer.compare(second, other.second);
    }
}

package dev.lightpath.planner.delta;

/** Two different pods by id; a circuit between them carries both directions (Eq. 6). */
public record PodPair(int first, int second) implements Comparable<PodPair> {
    public PodPair {
        if (first == second) {
            throw new IllegalArgumentException("pair [" + first + "," + second + "], allowed: two different pods");
        }
    }

    /** The same pair with the smaller id first. */
    public PodPair sorted() {
        return first < second ? this : reversed();
    }

    /** The other direction. */
    public PodPair reversed() {
        return new PodPair(/* first= */ second, /* second= */ first);
    }

    @Override
    public int compareTo(PodPair other) {
        int byFirst = Integer.compare(first, other.first);
        return byFirst != 0 ? byFirst : Integer.compare(second, other.second);
    }
}

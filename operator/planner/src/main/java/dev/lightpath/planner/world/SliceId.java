package dev.lightpath.planner.world;

/** The claim of one job attempt on one fabric. */
public record SliceId(String namespace, String name) implements Comparable<SliceId> {
    /** By namespace, then by name. Called some hundred thousand times in a pass over a thousand slices. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public int compareTo(SliceId other) {
        int order = namespace == other.namespace ? 0 : namespace.compareTo(other.namespace);
        if (order == 0 && name != other.name) {
            order = name.compareTo(other.name);
        }
        return order;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

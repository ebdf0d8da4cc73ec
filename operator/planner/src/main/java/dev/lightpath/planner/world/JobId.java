package dev.lightpath.planner.world;

import java.util.Comparator;

/** A user's job. The uid distinguishes it from an earlier job of the same name. */
public record JobId(String namespace, String name, String uid) implements Comparable<JobId> {
    private static final Comparator<JobId> ORDER =
            Comparator.comparing(JobId::namespace).thenComparing(JobId::name).thenComparing(JobId::uid);

    /** This job as jobs of a namespace are told of it: one of another namespace is not named. */
    public String toldTo(String readers) {
        return namespace.equals(readers) ? "job " + this : "a job of another namespace";
    }

    @Override
    public int compareTo(JobId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

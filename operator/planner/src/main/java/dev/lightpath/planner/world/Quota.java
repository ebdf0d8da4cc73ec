package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of a fabric the jobs of one namespace may hold together.
 *
 * @param standard of every namespace that is not named
 * @param namespaces those with a share of their own; bounds that it leaves open are the standard ones
 */
public record Quota(Share standard, SortedMap<String, Share> namespaces) {
    /**
     * The bounds of one namespace.
     *
     * @param gpus that its jobs may hold; empty: any number
     * @param jobs that may hold light; empty: any number
     */
    public record Share(OptionalInt gpus, OptionalInt jobs) {
        /** No bound at all. */
        public static final Share UNBOUNDED = new Share(OptionalInt.empty(), OptionalInt.empty());

        private Share orElse(Share other) {
            return new Share(gpus.isPresent() ? gpus : other.gpus, jobs.isPresent() ? jobs : other.jobs);
        }
    }

    public Quota {
        namespaces = Collections.unmodifiableSortedMap(new TreeMap<>(namespaces));
    }

    /** No namespace has a bound. */
    public static Quota none() {
        return new Quota(Share.UNBOUNDED, Collections.emptySortedMap());
    }

    /** Whether any namespace has a bound. */
    public boolean bounds() {
        return !equals(none());
    }

    /** What the jobs of a namespace may hold. */
    public Share of(String namespace) {
        return namespaces.getOrDefault(namespace, Share.UNBOUNDED).orElse(standard);
    }
}

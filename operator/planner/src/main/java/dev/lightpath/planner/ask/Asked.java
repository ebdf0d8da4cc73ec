package dev.lightpath.planner.ask;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A question that a pass asks, and for whom: those who answer may give turns by it. The answer is the same for all.
 *
 * @param namespaces of the jobs that ask it, one at least
 * @param repairs whether one of them lost circuits that it has a place with
 */
public record Asked(TopologyQuestion question, SortedSet<String> namespaces, boolean repairs) {
    public Asked {
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("a question that nobody asks: " + question.digest());
        }
        namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    /** Asked for one job. */
    public static Asked by(String namespace, boolean repairs, TopologyQuestion question) {
        return new Asked(question, new TreeSet<>(Set.of(namespace)), repairs);
    }

    /** The same question, asked for others too. */
    public Asked and(Asked other) {
        SortedSet<String> all = new TreeSet<>(namespaces);
        all.addAll(other.namespaces);
        return new Asked(question, all, repairs || other.repairs);
    }
}

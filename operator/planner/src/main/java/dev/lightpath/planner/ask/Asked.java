package dev.lightpath.planner.ask;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A question that a pass asks, and for whom: those who answer may give turns by it. The answer is the same for all.
 *
 * @param namespaces of the jobs that ask it, one at least
 * @param urgency that of the job that needs the answer most
 */
public record Asked(TopologyQuestion question, SortedSet<String> namespaces, Urgency urgency) {
    /** How much a job needs the answer, the most urgent first. */
    public enum Urgency {
        /** It lost circuits that it has a place with. */
        REPAIR,
        /** It waits for the answer, or others wait for what it is owed. */
        NEEDED,
        /** It may have these circuits later: nobody waits for the answer. */
        FORESEEN
    }

    public Asked {
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("a question that nobody asks: " + question.digest());
        }
        namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    /** Asked for one job. */
    public static Asked by(String namespace, Urgency urgency, TopologyQuestion question) {
        return new Asked(question, new TreeSet<>(Set.of(namespace)), urgency);
    }

    /** Whether a job lost circuits that it has a place with. */
    public boolean repairs() {
        return urgency == Urgency.REPAIR;
    }

    /** Whether nobody waits for the answer. */
    public boolean isForeseen() {
        return urgency == Urgency.FORESEEN;
    }

    /** The same question, asked for others too. */
    public Asked and(Asked other) {
        SortedSet<String> all = new TreeSet<>(namespaces);
        all.addAll(other.namespaces);
        return new Asked(question, all, urgency.compareTo(other.urgency) <= 0 ? urgency : other.urgency);
    }
}

package dev.lightpath.planner.fault;

import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Nodes that came after the first look and have not been healthy since. A node registers before it is ready, and that
 * is no failure.
 *
 * @param known nodes of the last look, empty before the first; shared, never changed
 * @param unready those of them that have not been healthy yet
 */
record NewNodes(Optional<Set<String>> known, SortedSet<String> unready) {
    static NewNodes none() {
        return new NewNodes(Optional.empty(), new TreeSet<>());
    }

    /** Whether it is the same look: of the very same nodes, and as many of them not ready. */
    boolean isAs(NewNodes other) {
        return known.isPresent() == other.known.isPresent()
                && known.orElse(null) == other.known.orElse(null)
                && unready.equals(other.unready);
    }

    /**
     * After another look. O(troubled).
     *
     * @param there the existing nodes
     * @param troubled nodes with a signal
     * @param failed nodes whose signal is older than the node
     */
    NewNodes look(Set<String> there, SortedSet<String> troubled, Predicate<String> failed) {
        SortedSet<String> next = new TreeSet<>();
        for (String node : troubled) {
            boolean came = known.isPresent() && !known.get().contains(node) && !failed.test(node);
            if (there.contains(node) && (came || unready.contains(node))) {
                next.add(node);
            }
        }
        return new NewNodes(Optional.of(there), next);
    }
}

package dev.lightpath.soak.script;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens at one instant.
 *
 * @param day of the trace
 * @param changes in the order in which they are made; nothing is awaited between them
 */
public record Moment(double day, List<Change> changes) {
    public Moment {
        changes = List.copyOf(changes);
    }

    public String words() {
        return changes.stream().map(Change::toString).collect(Collectors.joining(", "));
    }

    /** Whether light may have to move because of a fault. */
    public boolean hasFault() {
        return changes.stream()
                .anyMatch(change -> change instanceof Change.NodeFails
                        || change instanceof Change.PortFails
                        || change instanceof Change.SwitchFails);
    }
}

package dev.lightpath.console.forecast;

import dev.lightpath.planner.world.Allocation;
import java.util.ArrayList;
import java.util.List;

/** A group of a job on a ring. @param nodes in rank order */
public record Group(int index, List<String> nodes, List<Integer> positions) {
    public Group {
        nodes = List.copyOf(nodes);
        positions = List.copyOf(positions);
    }

    /** Numbered in their order. */
    public static List<Group> of(List<Allocation.Group> groups) {
        List<Group> numbered = new ArrayList<>();
        groups.forEach(group -> numbered.add(new Group(
                numbered.size(),
                group.members().stream().map(Allocation.Member::node).toList(),
                group.members().stream().map(Allocation.Member::position).toList())));
        return List.copyOf(numbered);
    }

    /** For people. */
    public String line() {
        return "group " + index + ": " + String.join(" ", nodes);
    }
}

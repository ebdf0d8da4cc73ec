package dev.lightpath.app.job.facts;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.GroupAllocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node of a job.
 *
 * @param rank from 0
 * @param groups numbers of the groups it serves, joined by commas: one, or several that share the node
 */
public record RankedNode(String node, int rank, String groups) {

    /** The nodes of an allocation in rank order: group by group, each in ring order, a shared node once. */
    public static List<RankedNode> of(Allocation allocation) {
        Map<String, List<Integer>> groupsOfNode = new LinkedHashMap<>();
        allocation.groups().stream()
                .sorted(Comparator.comparingInt(GroupAllocation::index))
                .forEach(group -> group.nodes()
                        .forEach(node -> groupsOfNode
                                .computeIfAbsent(node, none -> new ArrayList<>())
                                .add(group.index())));
        List<RankedNode> ranked = new ArrayList<>();
        groupsOfNode.forEach((node, groups) -> ranked.add(new RankedNode(
                node, ranked.size(), groups.stream().map(String::valueOf).collect(Collectors.joining(",")))));
        return List.copyOf(ranked);
    }

    /**
     * The nodes of a job in rank order: on two fabrics the ring has chosen them, in the pods that the other one chose.
     */
    public static List<RankedNode> of(List<SliceFacts> slices) {
        return slices.stream()
                .sorted(Comparator.comparing(slice -> slice.demand().scaleUp() == null))
                .flatMap(slice -> slice.allocation().stream())
                .findFirst()
                .map(allocation -> of(allocation))
                .orElse(List.of());
    }
}

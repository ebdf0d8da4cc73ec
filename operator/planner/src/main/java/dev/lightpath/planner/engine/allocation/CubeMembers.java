package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.Workload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cubes and their nodes in the record of a torus. A torus without pods of ours is one group whose members are its
 * cubes. One that carries pods is a group for each cube, part after part, of the nodes that its pods run on, so that
 * ranks survive a Node that goes away. Both name the cube by its index, which is each member's position.
 */
public final class CubeMembers {
    private static final Pattern RUN = Pattern.compile("[0-9]+|[^0-9]+");

    private CubeMembers() {}

    /**
     * The cubes of a record in the order of its parts; one that is described no more goes by the first member that it
     * had.
     */
    public static List<String> cubes(OcsWiring wiring, Allocation allocation) {
        return List.copyOf(indices(wiring, allocation).keySet());
    }

    /** The same cubes with their indices: one that is described no more keeps that by which it is recorded. */
    public static Map<String, Integer> indices(OcsWiring wiring, Allocation allocation) {
        Map<Integer, String> gone = new HashMap<>();
        Map<String, Integer> indices = new LinkedHashMap<>();
        allocation
                .members()
                .forEach(member -> indices.putIfAbsent(
                        wiring.podAt(member.position())
                                .map(OcsPod::name)
                                .orElseGet(() -> gone.computeIfAbsent(member.position(), index -> member.node())),
                        member.position()));
        return indices;
    }

    /** Whether pods that are ours to pin compute on the circuits of a slice. */
    public static boolean hosted(SliceState slice) {
        return slice.intent().workload() instanceof Workload.Pods;
    }

    /** How many nodes of each cube a recorded torus runs on: 0 without pods of ours. */
    public static int nodesPerCube(SliceState slice) {
        return hosted(slice)
                ? slice.recorded().map(Allocation::groups).filter(groups -> !groups.isEmpty()).stream()
                        .mapToInt(groups -> groups.getFirst().members().size())
                        .findFirst()
                        .orElse(0)
                : 0;
    }

    /** Nodes that a slice's pods are pinned to and that are there no more. */
    public static List<String> gone(OcsWiring wiring, SliceState slice) {
        if (!hosted(slice) || slice.recorded().isEmpty()) {
            return List.of();
        }
        Set<String> there = new HashSet<>();
        wiring.pods().values().forEach(pod -> there.addAll(pod.nodes().keySet()));
        return slice.members().stream()
                .map(Allocation.Member::node)
                .filter(node -> !there.contains(node))
                .toList();
    }

    /**
     * The groups that record a torus. A cube that stays keeps its nodes and their order; where one is gone another of
     * the same cube takes its rank. A cube that has no index is left out.
     *
     * @param nodes of each cube that run pods; 0 when none do
     * @param recorded what the slice has
     * @param indices of cubes that are described no more and that a record names
     */
    public static List<Allocation.Group> groups(
            OcsWiring wiring, CubeTorus torus, int nodes, Optional<Allocation> recorded, Map<String, Integer> indices) {
        Map<String, Integer> known = new HashMap<>(indices);
        wiring.pods().forEach((cube, pod) -> known.put(cube, pod.index()));
        if (nodes == 0) {
            return List.of(new Allocation.Group(torus.placement().stream()
                    .flatMap(cube -> Optional.ofNullable(known.get(cube)).stream()
                            .map(index -> new Allocation.Member(cube, index)))
                    .toList()));
        }
        List<String> before = recorded.filter(allocation ->
                        allocation.groups().size() == torus.placement().size())
                .map(allocation -> cubes(wiring, allocation))
                .orElse(List.of());
        List<Allocation.Group> groups = new ArrayList<>();
        for (int part = 0; part < torus.placement().size(); part++) {
            String cube = torus.placement().get(part);
            boolean stays = part < before.size() && before.get(part).equals(cube);
            List<Allocation.Member> kept =
                    stays ? recorded.orElseThrow().groups().get(part).members() : List.of();
            Integer index = known.get(cube);
            if (index != null) {
                groups.add(new Allocation.Group(members(wiring, cube, nodes, index, kept)));
            }
        }
        return groups;
    }

    private static List<Allocation.Member> members(
            OcsWiring wiring, String cube, int nodes, int index, List<Allocation.Member> kept) {
        OcsPod pod = wiring.pods().get(cube);
        List<String> there = pod == null
                ? List.of()
                : pod.nodes().keySet().stream()
                        .sorted(CubeMembers::compareNames)
                        .toList();
        List<String> spare = new ArrayList<>(there);
        kept.forEach(member -> spare.remove(member.node()));
        List<Allocation.Member> members = new ArrayList<>();
        for (int rank = 0; rank < nodes; rank++) {
            String name = rank < kept.size() ? kept.get(rank).node() : "";
            if (!there.contains(name) && !spare.isEmpty()) {
                name = spare.removeFirst();
            }
            if (!name.isEmpty()) {
                members.add(new Allocation.Member(name, index));
            }
        }
        return members;
    }

    /** Numbers in names count by value: host-2 before host-10. */
    static int compareNames(String a, String b) {
        Matcher left = RUN.matcher(a);
        Matcher right = RUN.matcher(b);
        while (left.find() && right.find()) {
            boolean numbers = Character.isDigit(left.group().charAt(0))
                    && Character.isDigit(right.group().charAt(0));
            int order = numbers
                    ? new BigInteger(left.group()).compareTo(new BigInteger(right.group()))
                    : left.group().compareTo(right.group());
            if (order != 0) {
                return order;
            }
        }
        return Comparator.comparingInt(String::length)
                .thenComparing(Comparator.<String>naturalOrder())
                .compare(a, b);
    }
}

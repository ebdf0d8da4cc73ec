package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which nodes of the pods of one fabric are whose: of jobs on other fabrics as well, since a node has its GPUs once,
 * and of jobs that left them while their pods run there (ADR 46).
 */
final class FabricPodNodes {
    private final OcsState state;
    private final RingCapacity ring;
    private final Map<String, JobId> holders = new HashMap<>();

    /** @param ring chooses the nodes of some slices: they are not chosen here then */
    FabricPodNodes(OcsState state, RingCapacity ring) {
        this.state = state;
        this.ring = ring;
        for (SliceIntent intent : state.world().slices().values()) {
            state.world()
                    .allocation(intent.id())
                    .ifPresent(
                            allocation -> allocation.nodes().forEach(node -> holders.putIfAbsent(node, intent.job())));
        }
        for (SliceIntent intent : state.world().slices().values()) {
            intent.workload().holding().forEach(node -> holders.putIfAbsent(node, intent.job()));
        }
    }

    private boolean well(OcsPod pod, String node) {
        return pod.nodes().containsKey(node) && !state.tracker().faulty(new Subject.OfNode(node));
    }

    /** Healthy nodes of a pod that take something new and that no other job holds. */
    private List<String> free(OcsPod pod, JobId job) {
        return pod.nodes().keySet().stream()
                .filter(node -> well(pod, node) && !pod.closed().contains(node))
                .filter(node -> {
                    JobId holder = holders.get(node);
                    return holder == null || holder.equals(job);
                })
                .toList();
    }

    /** By node, the rank of the slice's pod that runs there, if its record was lost: a place elsewhere would end it. */
    private static Map<String, Integer> ranks(SliceState slice) {
        Map<String, Integer> ranks = new HashMap<>();
        if (!slice.placed() && slice.intent().workload() instanceof Workload.Pods pods) {
            pods.occupied().forEach(node -> ranks.put(node, Integer.MAX_VALUE - 1));
            pods.ranks().forEach((rank, node) -> ranks.merge(node, rank, Math::min));
        }
        return ranks;
    }

    /** By pod of the fabric, the first rank that runs there, likewise. */
    Map<String, Integer> ranksByPod(SliceState slice) {
        Map<String, Integer> ranks = ranks(slice);
        Map<String, Integer> byPod = new HashMap<>();
        if (!ranks.isEmpty()) {
            for (OcsPod pod : state.intent().pods()) {
                pod.nodes().keySet().stream()
                        .map(ranks::get)
                        .filter(Objects::nonNull)
                        .forEach(rank -> byPod.merge(pod.name(), rank, Math::min));
            }
        }
        return byPod;
    }

    /** Whether a pod has free nodes for as many GPUs, or a ring has groups there. */
    boolean fits(SliceState slice, OcsPod pod, int gpus) {
        if (ring.chooses(slice)) {
            return ring.fits(slice, pod, gpus);
        }
        return pod.nodes().isEmpty() && slice.intent().workload() instanceof Workload.LightOnly
                || free(pod, slice.intent().job()).size()
                        >= Math.ceilDiv(gpus, state.intent().gpusPerNode());
    }

    /** These nodes are the slice's, unless a ring chooses them. */
    void take(List<Allocation.Group> members, SliceState slice) {
        if (!ring.chooses(slice)) {
            members.forEach(group -> group.members()
                    .forEach(member -> holders.put(member.node(), slice.intent().job())));
        }
    }

    /**
     * The stages of a seating as groups, replica by replica: with the free nodes of its pods, each GPU used once, or
     * with the pod alone where its nodes are not known or another slice chooses them.
     *
     * @return empty when a pod has too few free nodes
     */
    Optional<List<Allocation.Group>> seat(StagePods stagePods, SliceState slice) {
        boolean elsewhere = ring.chooses(slice);
        int gpusPerNode = state.intent().gpusPerNode();
        int gpusPerStage = stagePods.parallelism().gpusPerStage();
        int stages = stagePods.parallelism().pipeline();
        Map<String, Integer> ranks = ranks(slice);
        List<Allocation.Group> groups = new ArrayList<>();
        for (List<String> replica : stagePods.pods()) {
            for (int stage = 0; stage < stages; stage++) {
                OcsPod pod = state.wiring().pods().get(replica.get(stage / stagePods.stagesPerPod()));
                if (pod == null) {
                    return Optional.empty();
                }
                if (elsewhere || pod.nodes().isEmpty()) {
                    groups.add(new Allocation.Group(List.of(new Allocation.Member(pod.name(), pod.index()))));
                    continue;
                }
                List<String> free = free(pod, slice.intent().job()).stream()
                        .sorted(Comparator.comparingInt(node -> ranks.getOrDefault(node, Integer.MAX_VALUE)))
                        .toList();
                int first = stage % stagePods.stagesPerPod() * gpusPerStage;
                int last = first + gpusPerStage - 1;
                if (last / gpusPerNode >= free.size()) {
                    return Optional.empty();
                }
                groups.add(new Allocation.Group(free.subList(first / gpusPerNode, last / gpusPerNode + 1).stream()
                        .map(node -> new Allocation.Member(node, pod.index()))
                        .toList()));
            }
        }
        return Optional.of(groups);
    }

    /** Members of a placed slice that can no longer compute: nodes that failed, or that are gone from their pod. */
    List<String> broken(SliceState slice) {
        if (ring.chooses(slice)) {
            return List.of();
        }
        return slice.members().stream()
                .filter(this::broken)
                .map(Allocation.Member::node)
                .distinct()
                .toList();
    }

    private boolean broken(Allocation.Member member) {
        return state.wiring()
                .podAt(member.position())
                .filter(pod -> member.node().equals(pod.name()) || well(pod, member.node()))
                .isEmpty();
    }

    /** The groups with broken nodes replaced by free ones of the same pod; empty when a pod has too few. */
    Optional<List<Allocation.Group>> mended(List<Allocation.Group> groups, JobId job) {
        Map<String, String> substitutes = new HashMap<>();
        List<String> held = groups.stream()
                .flatMap(group -> group.members().stream())
                .map(Allocation.Member::node)
                .toList();
        for (Allocation.Group group : groups) {
            for (Allocation.Member member : group.members()) {
                if (!broken(member) || substitutes.containsKey(member.node())) {
                    continue;
                }
                String spare = state.wiring()
                        .podAt(member.position())
                        .flatMap(pod -> free(pod, job).stream()
                                .filter(node -> !held.contains(node) && !substitutes.containsValue(node))
                                .findFirst())
                        .orElse(null);
                if (spare == null) {
                    return Optional.empty();
                }
                substitutes.put(member.node(), spare);
            }
        }
        return Optional.of(groups.stream()
                .map(group -> new Allocation.Group(group.members().stream()
                        .map(member -> new Allocation.Member(
                                substitutes.getOrDefault(member.node(), member.node()), member.position()))
                        .toList()))
                .toList());
    }
}

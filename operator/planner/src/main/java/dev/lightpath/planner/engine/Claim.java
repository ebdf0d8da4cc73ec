package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.light.SwitchedLight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A slice of one ring with what is recorded for it.
 *
 * @param intent the wish
 * @param version the resourceVersion of the record
 * @param recorded what it was given, if anything
 */
record Claim(SliceIntent intent, String version, Optional<Allocation> recorded) {

    static Claim of(SliceIntent intent, LedgerEntry entry) {
        return new Claim(intent, entry.version(), entry.allocation());
    }

    SliceId id() {
        return intent.id();
    }

    RingDemand demand() {
        return switch (intent.demand()) {
            case Demand.ScaleUp scaleUp -> new RingDemand(scaleUp.gpusPerGroup(), scaleUp.groups());
            case Demand.Topology topology -> throw offRing();
            case Demand.TorusShape torus -> throw offRing();
        };
    }

    private IllegalStateException offRing() {
        return new IllegalStateException("slice " + id() + " asks for " + intent.demand() + ", not for groups on a ring");
    }

    /** Whether groups are recorded: the slice has a place. */
    boolean placed() {
        return recorded.filter(allocation -> !allocation.groups().isEmpty()
                        || !allocation.circuits().isEmpty())
                .isPresent();
    }

    /** The recorded groups as the ring planner sees them; groups that share a node are numbered in order. */
    RingPlacement placement(RingFabric ring) {
        int shares = demand().groupsPerNode(ring);
        Map<Integer, Integer> taken = new HashMap<>();
        List<RingGroup> groups = new ArrayList<>();
        for (Allocation.Group group : recorded.map(Allocation::groups).orElse(List.of())) {
            List<Integer> members =
                    group.members().stream().map(Allocation.Member::position).toList();
            groups.add(
                    shares == 1
                            ? RingGroup.of(members)
                            : new RingGroup(members, taken.merge(members.getFirst(), 1, Integer::sum) - 1, shares));
        }
        return new RingPlacement(groups);
    }

    /** The record that gives this placement: what earlier revisions lit and this one does not is released. */
    Allocation give(RingIntent fabric, RingPlacement placement) {
        Map<Integer, String> kept = keptNames();
        List<Allocation.Group> groups = placement.groups().stream()
                .map(group -> new Allocation.Group(group.members().stream()
                        .map(position -> new Allocation.Member(nameAt(fabric, kept, position), position))
                        .toList()))
                .toList();
        SortedSet<String> leaving = leaving();
        groups.forEach(group -> group.members().forEach(member -> leaving.remove(member.node())));
        return new Allocation(nextRevision(), groups, leaving);
    }

    /** The record that gives everything up. */
    Allocation giveUp() {
        return new Allocation(nextRevision(), List.of(), leaving());
    }

    /** The record of circuits on optical switches: what earlier revisions lit and this one does not goes dark. */
    Allocation light(List<Allocation.Group> groups, SwitchedLight circuits) {
        SwitchedLight before = recorded.map(allocation -> allocation.circuits().and(allocation.darkening()))
                .orElse(SwitchedLight.none());
        return new Allocation(
                nextRevision(), groups, Collections.emptySortedSet(), circuits, before.minus(circuits));
    }

    /** The record after these circuits were read back dark. */
    Allocation darkened(SwitchedLight dark) {
        Allocation now = recorded.orElseThrow();
        return new Allocation(
                now.revision(), now.groups(), now.releasing(), now.circuits(), now.darkening().minus(dark));
    }

    /** The record after these nodes were read back released. */
    Allocation without(SortedSet<String> released) {
        Allocation now = recorded.orElseThrow();
        SortedSet<String> left = new TreeSet<>(now.releasing());
        left.removeAll(released);
        return new Allocation(now.revision(), now.groups(), left);
    }

    private long nextRevision() {
        return recorded.map(Allocation::revision).orElse(0L) + 1;
    }

    private SortedSet<String> leaving() {
        SortedSet<String> leaving = new TreeSet<>();
        recorded.ifPresent(allocation -> {
            leaving.addAll(allocation.nodes());
            leaving.addAll(allocation.releasing());
        });
        return leaving;
    }

    /** A member that stays keeps its recorded name, even while its Node is gone. */
    private Map<Integer, String> keptNames() {
        Map<Integer, String> names = new HashMap<>();
        recorded.ifPresent(allocation -> allocation
                .groups()
                .forEach(group -> group.members().forEach(member -> names.put(member.position(), member.node()))));
        return names;
    }

    private static String nameAt(RingIntent fabric, Map<Integer, String> kept, int position) {
        RingNode node = fabric.nodes().get(position);
        if (node != null) {
            return node.name();
        }
        String name = kept.get(position);
        if (name == null) {
            throw new IllegalStateException(
                    "fabric " + fabric.name() + ": position " + position + " was chosen and has no node");
        }
        return name;
    }
}

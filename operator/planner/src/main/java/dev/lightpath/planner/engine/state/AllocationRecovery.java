package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Slices of a ring whose record is lost, recognised by what is left of them: groups that burn exactly as a slice of
 * theirs would have them, in circuits that we made, and the pods on these groups. A slice that never had a record lost
 * none. Pods tell apart only slices that all have them: any user can have a pod run on any node. Light that several
 * slices may have lit belongs to none of them until a person says so (spec: kubernetes, 6, restore).
 *
 * @param records what the slices must have had, by slice
 * @param doubts why the light that burns may be a slice's and cannot be told to be, by slice
 */
public record AllocationRecovery(SortedMap<SliceId, Allocation> records, SortedMap<SliceId, String> doubts) {
    private static final int MOST_NAMED = 5;
    private static final AllocationRecovery NOTHING = new AllocationRecovery(new TreeMap<>(), new TreeMap<>());

    /**
     * O(nodes * reach + members). Nothing is recognised while the driver is away. A slice that may have light on nodes
     * whose own drivers are away is doubted.
     */
    public static AllocationRecovery of(RingState state, List<SliceState> slices, List<InvalidAllocation> invalid) {
        List<SliceState> lost = slices.stream()
                .filter(slice -> slice.recorded().isEmpty()
                        && hadRecord(state, slice)
                        && slice.intent().wanted()
                        && slice.demand().fits(state.intent().ring()))
                .toList();
        if (lost.isEmpty() || !state.driver().synced()) {
            return NOTHING;
        }
        Set<String> taken = taken(slices, invalid);
        state.intent()
                .quarantinedPorts()
                .forEach(port -> taken.add(port.substring(0, Math.max(0, port.lastIndexOf('/')))));
        Search search = new Search(state, taken);
        lost.forEach(search::byRanks);
        search.byLight(lost);
        lost.forEach(search::byPodsAlone);
        lost.forEach(search::beyondSight);
        return new AllocationRecovery(search.records, search.doubts);
    }

    private static boolean hadRecord(RingState state, SliceState slice) {
        LedgerEntry entry = state.world().ledger().get(slice.id());
        return entry != null && entry.hadRecord();
    }

    /** The slice with the record it must have had; others as they are. */
    public SliceState restored(SliceState slice) {
        Allocation record = records.get(slice.id());
        return record == null
                ? slice
                : new SliceState(slice.intent(), slice.version(), Optional.of(record), true, Optional.empty());
    }

    /** Nodes that other records name. */
    private static Set<String> taken(List<SliceState> slices, List<InvalidAllocation> invalid) {
        Set<String> taken = new HashSet<>();
        List<SliceState> all = new ArrayList<>(slices);
        invalid.forEach(each -> all.add(each.slice()));
        all.forEach(slice -> slice.recorded().ifPresent(allocation -> {
            taken.addAll(allocation.nodes());
            taken.addAll(allocation.releasing());
        }));
        return taken;
    }

    /** One search over one ring. */
    private static final class Search {
        private final RingState state;
        private final RingFabric ring;
        private final Set<String> taken;
        private final SortedMap<SliceId, Allocation> records = new TreeMap<>();
        private final SortedMap<SliceId, String> doubts = new TreeMap<>();

        Search(RingState state, Set<String> taken) {
            this.state = state;
            this.ring = state.intent().ring();
            this.taken = taken;
        }

        /**
         * Groups of single nodes have no light to be known by: where the pods of every rank are known, so is the
         * record.
         */
        void byRanks(SliceState slice) {
            if (isLit(slice) || !(slice.intent().workload() instanceof Workload.Pods pods)) {
                return;
            }
            int shares = slice.demand().groupsPerNode(ring);
            int size = slice.demand().nodesPerGroup(ring);
            int seated = width(slice);
            int nodes = Math.ceilDiv(seated * size, shares);
            if (pods.ranks().isEmpty() || pods.ranks().lastKey() >= nodes) {
                return;
            }
            List<Integer> positions = new ArrayList<>();
            for (int rank = 0; rank < nodes; rank++) {
                Integer position = state.byName().get(pods.ranks().getOrDefault(rank, ""));
                if (position == null) {
                    return;
                }
                positions.add(position);
            }
            if (new HashSet<>(positions).size() < nodes) {
                return;
            }
            List<List<Integer>> groups = new ArrayList<>();
            for (int group = 0; group < seated; group++) {
                groups.add(
                        shares > 1
                                ? List.of(positions.get(group / shares))
                                : positions.subList(group * size, (group + 1) * size));
            }
            if (burns(groups)) {
                recognise(slice, groups, "its record was lost; its pods tell it");
            }
        }

        /**
         * How many groups a slice had: as many as its job says, else all of them. What is seen does not say it: a pod
         * that is being replaced, or light that a fault took, is missing.
         */
        private static int width(SliceState slice) {
            Demand.ScaleUp asked = slice.scaleUp();
            OptionalInt replicas =
                    slice.intent().workload() instanceof Workload.Pods pods ? pods.replicas() : OptionalInt.empty();
            long told = (long) replicas.orElse(Integer.MAX_VALUE) * asked.groupsPerReplica();
            return told < asked.leastGroups() ? asked.groups() : (int) Math.min(asked.groups(), told);
        }

        /** Whether its groups have light that leads from node to node. */
        private boolean isLit(SliceState slice) {
            return slice.demand().groupsPerNode(ring) == 1 && slice.demand().nodesPerGroup(ring) > 1;
        }

        /**
         * Whether every member carries just the light of these groups, none of it moving, and no other record naming
         * it.
         */
        private boolean burns(List<List<Integer>> groups) {
            BundleDerivation derived = BundleDerivation.derive(
                    ring, groups.stream().map(RingGroup::of).toList());
            if (!derived.conflicts().isEmpty()) {
                return false;
            }
            for (List<Integer> group : groups) {
                for (int position : group) {
                    RingNode node = state.intent().nodes().get(position);
                    if (node == null
                            || taken.contains(node.name())
                            || !carries(
                                    node,
                                    TransceiverPorts.circuits(derived.states().of(position)))) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean carries(RingNode node, CrossConnects circuits) {
            DeviceState device = state.device(node.name()).orElse(null);
            return device != null
                    && device.moving().isEmpty()
                    && device.operation().isEmpty()
                    && !state.world().locked().contains(state.deviceId(node.name()))
                    && circuits.minus(device.circuits()).isEmpty()
                    && circuits.circuits().stream()
                            .allMatch(circuit -> !TransceiverPorts.leadsOut(circuit.egress())
                                    || device.made().contains(circuit))
                    && device.circuits().circuits().stream()
                            .allMatch(circuit ->
                                    circuits.contains(circuit) || !TransceiverPorts.leadsOut(circuit.egress()));
        }

        /**
         * Groups of one size that burn are those of the slices that lost such groups, if they are as many as these
         * want: of the only one, or of several that all have pods, each on groups of its own.
         */
        void byLight(List<SliceState> lost) {
            Map<Integer, List<List<Integer>>> bySize = new TreeMap<>();
            chains().forEach(chain -> bySize.computeIfAbsent(chain.size(), size -> new ArrayList<>())
                    .add(chain));
            bySize.forEach((size, chains) -> share(
                    lost.stream()
                            .filter(slice -> isLit(slice) && slice.demand().nodesPerGroup(ring) == size)
                            .toList(),
                    chains));
        }

        private void share(List<SliceState> slices, List<List<Integer>> chains) {
            int wanted = slices.stream().mapToInt(Search::width).sum();
            if (!slices.isEmpty() && wanted == chains.size()) {
                SliceState only = slices.getFirst();
                if (slices.size() == 1 && standsOn(only, chains)) {
                    recognise(only, ordered(only, chains), "its record was lost; its light tells it");
                    return;
                }
                SortedMap<SliceId, List<List<Integer>>> theirs = new TreeMap<>();
                Set<List<Integer>> told = new HashSet<>();
                slices.forEach(slice -> theirs.put(slice.id(), under(slice, chains)));
                theirs.values().forEach(told::addAll);
                if (slices.size() > 1
                        && told.size() == wanted
                        && slices.stream()
                                .allMatch(slice -> theirs.getOrDefault(slice.id(), List.of())
                                                        .size()
                                                == width(slice)
                                        && standsOn(slice, chains))) {
                    slices.forEach(slice -> recognise(
                            slice,
                            ordered(slice, theirs.getOrDefault(slice.id(), List.of())),
                            "its record was lost; the light under its pods tells it"));
                    return;
                }
            }
            for (SliceState slice : slices) {
                if (slice.least().groups() <= chains.size()) {
                    String each = " of " + Counted.of(chains.getFirst().size(), "node");
                    doubts.put(
                            slice.id(),
                            Counted.of(chains.size(), "group" + each + " burns", "groups" + each + " burn")
                                    + " that no record names, the first on "
                                    + name(chains.getFirst().getFirst())
                                    + ", and " + slices.size() + " slices without a record want " + wanted
                                    + " such groups: whose they are cannot be told");
                }
            }
        }

        /** The rank of a pod at each position; of pods without one, which may be anywhere, nothing. */
        private Map<Integer, Integer> ranks(SliceState slice) {
            Map<Integer, Integer> ranks = new HashMap<>();
            if (slice.intent().workload() instanceof Workload.Pods pods) {
                pods.ranks().forEach((rank, node) -> {
                    Integer position = state.byName().get(node);
                    if (position != null) {
                        ranks.merge(position, rank, Math::min);
                    }
                });
            }
            return ranks;
        }

        /** Whether no pod with a rank runs beside these groups. */
        private boolean standsOn(SliceState slice, List<List<Integer>> chains) {
            return ranks(slice).keySet().stream()
                    .allMatch(position -> chains.stream().anyMatch(chain -> chain.contains(position)));
        }

        /** The groups on which pods of the slice run. */
        private List<List<Integer>> under(SliceState slice, List<List<Integer>> chains) {
            Set<Integer> occupied = new HashSet<>(ranks(slice).keySet());
            if (occupied.isEmpty() && slice.intent().workload() instanceof Workload.Pods pods) {
                pods.occupied().forEach(node -> {
                    Integer position = state.byName().get(node);
                    if (position != null) {
                        occupied.add(position);
                    }
                });
            }
            return chains.stream()
                    .filter(chain -> chain.stream().anyMatch(occupied::contains))
                    .toList();
        }

        private List<List<Integer>> ordered(SliceState slice, List<List<Integer>> chains) {
            Map<Integer, Integer> ranks = ranks(slice);
            List<List<Integer>> ordered = new ArrayList<>(chains);
            ordered.sort(Comparator.comparingInt(chain -> chain.stream()
                    .mapToInt(position -> ranks.getOrDefault(position, Integer.MAX_VALUE))
                    .min()
                    .orElse(Integer.MAX_VALUE)));
            return ordered;
        }

        /** Pods with ranks of ours had light: they are not left behind in it for a place elsewhere. */
        void byPodsAlone(SliceState slice) {
            if (!records.containsKey(slice.id())
                    && slice.intent().workload() instanceof Workload.Pods pods
                    && !pods.ranks().isEmpty()) {
                doubts.putIfAbsent(
                        slice.id(),
                        Counted.of(pods.ranks().size(), "of its pods runs", "of its pods run") + ", the first on "
                                + pods.ranks().firstEntry().getValue()
                                + ", and the light there is not that of any record it may have had");
            }
        }

        /** It is not placed anew while its light may be on nodes of which nothing is known now. */
        void beyondSight(SliceState slice) {
            if (records.containsKey(slice.id()) || doubts.containsKey(slice.id())) {
                return;
            }
            List<String> unseen = state.intent().nodes().values().stream()
                    .map(RingNode::name)
                    .filter(node -> !taken.contains(node)
                            && state.device(node).filter(DeviceState::away).isPresent())
                    .toList();
            if (!unseen.isEmpty()) {
                doubts.put(
                        slice.id(),
                        "its light may be on nodes whose drivers are away (" + Words.first(MOST_NAMED, unseen) + ")");
            }
        }

        private void recognise(SliceState slice, List<List<Integer>> groups, String why) {
            List<Allocation.Group> members = groups.stream()
                    .map(group -> new Allocation.Group(group.stream()
                            .map(position -> new Allocation.Member(name(position), position))
                            .toList()))
                    .toList();
            members.forEach(group -> group.members().forEach(member -> taken.add(member.node())));
            records.put(
                    slice.id(),
                    new Allocation(
                            slice.intent().firstRevision(),
                            members,
                            new TreeSet<>(),
                            Optional.of(new Origin(Origin.Planner.INHERITANCE, 0, why))));
        }

        private String name(int position) {
            return java.util.Objects.requireNonNull(state.intent().nodes().get(position))
                    .name();
        }

        /**
         * Groups of two nodes and more that burn and that no record names, each in ring order, by their first member.
         */
        private List<List<Integer>> chains() {
            Map<Integer, Integer> next = new TreeMap<>();
            Set<Integer> joined = new HashSet<>();
            state.intent().nodes().forEach((position, node) -> {
                if (!taken.contains(node.name())) {
                    state.device(node.name())
                            .ifPresent(device -> hops(device).forEach(hop -> {
                                int far = ring.at(position, hop);
                                if (far >= 0 && points(far, -hop)) {
                                    next.putIfAbsent(position, far);
                                    joined.add(far);
                                }
                            }));
                }
            });
            List<List<Integer>> chains = new ArrayList<>();
            next.keySet().stream().filter(first -> !joined.contains(first)).forEach(first -> {
                List<Integer> chain = new ArrayList<>(List.of(first));
                for (Integer at = next.get(first); at != null && !chain.contains(at); at = next.get(at)) {
                    chain.add(at);
                }
                if (burns(List.of(chain))) {
                    chains.add(Collections.unmodifiableList(chain));
                }
            });
            return chains;
        }

        /** To which nodes on its right a device shines. */
        private List<Integer> hops(DeviceState device) {
            return device.circuits().circuits().stream()
                    .flatMap(circuit -> TransceiverPorts.path(circuit.egress()).stream())
                    .filter(path -> path.bundle() < ring.reach())
                    .map(path -> state.ports().hopOf(path))
                    .filter(hop -> hop > 0)
                    .toList();
        }

        private boolean points(int position, int hop) {
            RingNode node = state.intent().nodes().get(position);
            BundlePath path = state.ports().pathOf(hop);
            return node != null
                    && path.state() != BundleState.LOOPBACK
                    && state.device(node.name())
                            .filter(device -> device.circuits().contains(TransceiverPorts.circuit(path)))
                            .isPresent();
        }
    }
}

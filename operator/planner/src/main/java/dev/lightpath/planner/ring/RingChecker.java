package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges light against placement: invariants I0 to I5.
 *
 * <p>Shares no arithmetic with {@link PortMap} and {@link BundleDerivation}, so that a mistake there cannot hide here.
 * Changing the state of any single bundle of a right answer is always found. A member whose repair is pending counts as
 * healthy: leave it out of {@code faulty}.
 */
public final class RingChecker {

    private final RingFabric fabric;
    private final List<RingGroup> groups;
    private final BundleStates states;
    private final Set<Integer> faulty;
    private final Map<Integer, Integer> groupOfNode = new HashMap<>();
    private final List<RingViolation> violations = new ArrayList<>();

    private RingChecker(RingFabric fabric, List<RingGroup> groups, BundleStates states, Set<Integer> faulty) {
        this.fabric = fabric;
        this.groups = groups;
        this.states = states;
        this.faulty = faulty;
    }

    /**
     * All violations, in the order of the invariants; empty if the light is right. O(members * K).
     *
     * @param states what the bundles do or would do
     * @param faulty ring positions of faulty nodes
     */
    public static List<RingViolation> check(
            RingFabric fabric, List<RingGroup> groups, BundleStates states, Set<Integer> faulty) {
        RingChecker checker = new RingChecker(fabric, groups, states, faulty);
        checker.members();
        checker.bundles();
        checker.ends();
        checker.rings();
        return List.copyOf(checker.violations);
    }

    /**
     * The same where single paths are lost: a bundle in a state that it cannot take is no light either.
     *
     * @param health faulty nodes and lost paths
     */
    public static List<RingViolation> check(
            RingFabric fabric, List<RingGroup> groups, BundleStates states, RingHealth health) {
        List<RingViolation> violations = new ArrayList<>(check(fabric, groups, states, health.faulty()));
        Set<Integer> wholeNodes = new HashSet<>();
        groups.stream().filter(group -> group.shares() == 1).forEach(group -> wholeNodes.addAll(group.members()));
        health.lost()
                .forEach((position, paths) -> paths.forEach(path -> {
                    boolean judged = path.state() != BundleState.LOOPBACK || wholeNodes.contains(position);
                    if (judged
                            && path.bundle() < states.bundles()
                            && states.of(position, path.bundle()) == path.state()) {
                        violations.add(new RingViolation(
                                RingInvariant.I4,
                                position,
                                "node " + position + " bundle " + path.bundle() + " " + path.state() + " has failed"));
                    }
                }));
        return List.copyOf(violations);
    }

    private void report(RingInvariant invariant, int position, String message) {
        violations.add(new RingViolation(invariant, position, message));
    }

    private void members() {
        Set<String> taken = new HashSet<>();
        for (int index = 0; index < groups.size(); index++) {
            RingGroup group = groups.get(index);
            for (int node : group.members()) {
                if (node < 0 || node >= fabric.positions()) {
                    report(RingInvariant.I0, node, "group " + index + " has node " + node + " outside the fabric");
                    continue;
                }
                if (faulty.contains(node)) {
                    report(RingInvariant.I0, node, "group " + index + " has faulty node " + node);
                }
                int gpusPerNode = fabric.gpusPerNode();
                int from = group.share() * gpusPerNode / group.shares();
                int to = (group.share() + 1) * gpusPerNode / group.shares();
                for (int gpu = from; gpu < to; gpu++) {
                    if (!taken.add(node + "." + gpu)) {
                        report(RingInvariant.I0, node, "GPU " + node + "." + gpu + " is in two groups");
                    }
                }
                if (group.shares() == 1) {
                    groupOfNode.putIfAbsent(node, index);
                }
            }
        }
    }

    private void bundles() {
        if (states.bundles() != fabric.reach()) {
            report(RingInvariant.I1, 0, states.bundles() + " states per node for " + fabric.reach() + " bundles");
        }
        for (var entry : states.lit().entrySet()) {
            if (entry.getKey() < 0 || entry.getKey() >= fabric.positions()) {
                report(RingInvariant.I1, entry.getKey(), "node " + entry.getKey() + " is outside the fabric");
            }
        }
    }

    private void ends() {
        for (var entry : states.lit().entrySet()) {
            int u = entry.getKey();
            for (int bundle = 0; bundle < entry.getValue().size(); bundle++) {
                BundleState state = entry.getValue().get(bundle);
                if (state != BundleState.LOOPBACK) {
                    end(u, bundle, state);
                }
            }
        }
    }

    private void end(int u, int bundle, BundleState state) {
        String where = "node " + u + " bundle " + bundle + " " + state;
        int hop = GpuWalk.hop(fabric, bundle, state);
        int v = u + hop;
        if (fabric.shape() == RingShape.RING) {
            v = (v + fabric.positions()) % fabric.positions();
        }
        if (v < 0 || v >= fabric.positions()) {
            report(RingInvariant.I2, u, where + " leads beyond the end of the line");
            return;
        }
        boolean answered = false;
        List<BundleState> far = states.of(v);
        for (int other = 0; other < far.size(); other++) {
            answered |= far.get(other) != BundleState.LOOPBACK && GpuWalk.hop(fabric, other, far.get(other)) == -hop;
        }
        if (!answered) {
            report(RingInvariant.I2, u, where + " is dark: node " + v + " does not answer");
        }
        if (faulty.contains(u) || faulty.contains(v)) {
            report(RingInvariant.I4, u, where + " touches a faulty node");
        }
        Integer mine = groupOfNode.get(u);
        Integer theirs = groupOfNode.get(v);
        if (mine == null || faulty.contains(u)) {
            report(RingInvariant.I5, u, where + " but the node is " + (mine == null ? "idle" : "faulty"));
        } else if (!mine.equals(theirs)) {
            report(RingInvariant.I4, u, where + " leads from group " + mine + " to node " + v + " outside it");
        }
    }

    /** Whether an active path leads to the right from u to v; that v answers is I2. */
    private boolean joined(int u, int v) {
        int hop = v - u;
        if (fabric.shape() == RingShape.RING && hop < 0) {
            hop += fabric.positions();
        }
        List<BundleState> mine = states.of(u);
        boolean joined = false;
        for (int bundle = 0; bundle < mine.size() && hop > 0; bundle++) {
            joined |= mine.get(bundle) != BundleState.LOOPBACK && GpuWalk.hop(fabric, bundle, mine.get(bundle)) == hop;
        }
        return joined;
    }

    private void rings() {
        for (int index = 0; index < groups.size(); index++) {
            RingGroup group = groups.get(index);
            if (group.shares() > 1 || !group.members().stream().allMatch(fabric::contains)) {
                continue;
            }
            for (int rank = 1; rank < group.size(); rank++) {
                if (!joined(group.members().get(rank - 1), group.members().get(rank))) {
                    report(
                            RingInvariant.I3,
                            group.members().get(rank),
                            "group " + index + ": no light from node "
                                    + group.members().get(rank - 1) + " to node "
                                    + group.members().get(rank) + ", which is next in rank");
                }
            }
            int gpus = group.size() * fabric.gpusPerNode();
            GpuWalk walk = GpuWalk.from(fabric, states, group.first(), gpus);
            Set<Gpu> met = new HashSet<>(walk.gpus());
            Set<Integer> nodes = new HashSet<>(group.members());
            boolean inside = met.stream().allMatch(gpu -> nodes.contains(gpu.position()));
            if (!walk.closed() || met.size() != gpus || walk.gpus().size() != gpus || !inside) {
                report(
                        RingInvariant.I3,
                        group.first(),
                        "group " + index + " " + group + " has no ring of " + gpus + " GPUs, the walk meets "
                                + walk.gpus().size() + (walk.closed() ? "" : " and does not close"));
            }
        }
    }
}

package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bundle states that a set of groups needs.
 *
 * <p>For consecutive members u, v at hop h: u activates its path of +h, v its path of -h; every other bundle loops
 * back. Groups that take a share of a node need no circuit. There are two conflicts, which a planner never produces: a
 * hop that no path passes lights nothing; if a mixed bundle is needed on both sides, the later one wins.
 *
 * @param states the derived states of the bundles
 * @param conflicts empty for every valid plan
 */
public record BundleDerivation(BundleStates states, List<BundleConflict> conflicts) {

    public BundleDerivation {
        conflicts = List.copyOf(conflicts);
    }

    /** O(members). Members outside the fabric are an {@link IllegalArgumentException}. */
    public static BundleDerivation derive(RingFabric fabric, List<RingGroup> groups) {
        PortMap ports = new PortMap(fabric.reach());
        SortedMap<Integer, BundleState[]> lit = new TreeMap<>();
        List<BundleConflict> conflicts = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            List<Integer> members = groups.get(index).members();
            for (int rank = 0; rank < members.size(); rank++) {
                int v = members.get(rank);
                if (!fabric.contains(v)) {
                    throw new IllegalArgumentException(
                            "group " + index + ": node " + v + " must be 0.." + (fabric.positions() - 1));
                }
                if (rank == 0) {
                    continue;
                }
                int u = members.get(rank - 1);
                int hop = fabric.hop(u, v);
                if (hop < 1 || hop > fabric.reach()) {
                    conflicts.add(new BundleConflict(
                            index,
                            v,
                            "no path from node " + u + " to node " + v + ": hop " + hop + " is not 1.."
                                    + fabric.reach()));
                    continue;
                }
                activate(ports, lit, conflicts, index, u, hop);
                activate(ports, lit, conflicts, index, v, -hop);
            }
        }
        SortedMap<Integer, List<BundleState>> states = new TreeMap<>();
        lit.forEach((position, bundles) -> states.put(position, List.of(bundles)));
        return new BundleDerivation(new BundleStates(fabric.reach(), states), conflicts);
    }

    private static void activate(
            PortMap ports,
            SortedMap<Integer, BundleState[]> lit,
            List<BundleConflict> conflicts,
            int group,
            int position,
            int hop) {
        BundlePath path = ports.pathOf(hop);
        BundleState[] bundles = lit.computeIfAbsent(position, unseen -> loopbacks(ports.bundles()));
        if (bundles[path.bundle()] != BundleState.LOOPBACK) {
            conflicts.add(new BundleConflict(
                    group, position, "node " + position + " needs bundle " + path.bundle() + " twice"));
        }
        bundles[path.bundle()] = path.state();
    }

    private static BundleState[] loopbacks(int bundles) {
        BundleState[] states = new BundleState[bundles];
        java.util.Arrays.fill(states, BundleState.LOOPBACK);
        return states;
    }
}

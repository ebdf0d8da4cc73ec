package dev.lightpath.cli.ring;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import java.util.List;
import java.util.Locale;

/**
 * What {@code ring place} prints and {@code ring repair} reads. Nodes are network numbers, members in ring order.
 *
 * @param constrainedDomains the constraints kept, see the reference of the command line
 * @param usableGroups how many groups there was room for
 * @param faulty number of faulty nodes
 */
record PlacementDocument(
        List<List<Integer>> groups,
        double crossTorRatio,
        int constrainedDomains,
        int usableGroups,
        int faulty,
        List<Integer> faultyNodes,
        Parameters parameters,
        double seconds) {

    /** The fabric and the size of the groups. */
    record Parameters(
            int gpus, int gpusPerNode, int reach, String shape, int nodesPerTor, int nodesPerAggregation, int tensor) {

        static Parameters of(RingFabric fabric, int tensor) {
            return new Parameters(
                    fabric.positions() * fabric.gpusPerNode(),
                    fabric.gpusPerNode(),
                    fabric.reach(),
                    fabric.shape().name().toLowerCase(Locale.ROOT),
                    fabric.nodesPerTor(),
                    fabric.nodesPerAggregation(),
                    tensor);
        }

        RingFabric fabric() {
            RingShape parsed = RingShape.valueOf(shape.toUpperCase(Locale.ROOT));
            return FabricOptions.fabric(parsed, gpus, gpusPerNode, reach, nodesPerTor, nodesPerAggregation);
        }
    }

    static List<List<Integer>> networkNumbers(RingFabric fabric, List<RingGroup> groups) {
        return groups.stream()
                .map(group ->
                        group.members().stream().map(fabric::networkNumberOf).toList())
                .toList();
    }
}

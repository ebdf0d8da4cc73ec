package dev.lightpath.planner.engine;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A ring of nodes with four GPUs, in pods of four nodes on six switches. */
final class RingInPods {
    static final int NODES_PER_POD = 4;
    private static final int PODS = 6;
    private static final int SWITCHES = 6;

    final ToyRing ring = ToyRing.of(PODS * NODES_PER_POD, 3);
    final ToyOcs ocs = ToyOcs.logical(PODS, 0, SWITCHES, DeviceKind.TWO_SIDED, 1);

    RingInPods() {
        ocs.beside = Optional.of(ring);
        ocs.pods.clear();
        for (int pod = 0; pod < PODS; pod++) {
            SortedMap<String, List<Signal>> nodes = new TreeMap<>();
            for (int node = 0; node < NODES_PER_POD; node++) {
                nodes.put("n" + (NODES_PER_POD * pod + node), List.of());
            }
            ocs.pods.add(new OcsPod(ToyOcs.pod(pod), pod, 4 * NODES_PER_POD, SWITCHES, nodes, true));
        }
    }

    /** The slice on the switches of a job of this name. */
    static SliceId onSwitches(String name) {
        return new SliceId("team", name);
    }

    /** The slice on the ring of a job of this name. */
    static SliceId onRing(String name) {
        return new SliceId("team", name + "-ring");
    }

    /** A job of two replicas of two stages of eight GPUs: groups of two nodes on the ring. */
    void wish(String name, int stagesPerPod) {
        Demand.Traffic traffic =
                Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 2, 1, 1), new Batch(8, 1, 4096, true), stagesPerPod);
        SliceIntent spine = ocs.slices.get(ocs.wishTraffic(name, traffic));
        SliceId id = onRing(name);
        ring.slices.put(
                id,
                Request.of(id, spine.job(), "ring-a", new Demand.ScaleUp(4, 8), spine.createdAt())
                        .reconfiguration(Reconfiguration.LIVE)
                        .build());
        ring.ledger.putIfAbsent(id, new LedgerEntry(Optional.empty(), "r-" + name));
    }
}

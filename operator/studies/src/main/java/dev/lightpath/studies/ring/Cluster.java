package dev.lightpath.studies.ring;

import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.studies.evaluation.Architecture;
import java.util.List;

/** The cluster of the paper's fault studies: 2880 GPUs in 4-GPU nodes, and the architectures compared on it. */
final class Cluster {

    static final int GPUS = 2880;
    static final int GPUS_PER_NODE = 4;
    static final int NODES = GPUS / GPUS_PER_NODE;
    static final int MAPPINGS = 200;
    static final List<Integer> TENSORS = List.of(8, 16, 32, 64);

    static final List<Architecture> ARCHITECTURES = List.of(
            new Architecture.KHop(3, RingShape.LINE),
            new Architecture.KHop(2, RingShape.LINE),
            new Architecture.BigSwitch(),
            new Architecture.FixedDomains("NVL-576", 576),
            new Architecture.FixedDomains("NVL-72", 72),
            new Architecture.FixedDomains("NVL-36", 36),
            new Architecture.FixedDomains("TPUv4", 64),
            new Architecture.SipRing());

    private Cluster() {}

    static int healthyGpus(boolean[] faulty) {
        int healthy = 0;
        for (boolean down : faulty) {
            healthy += down ? 0 : 1;
        }
        return healthy * GPUS_PER_NODE;
    }
}

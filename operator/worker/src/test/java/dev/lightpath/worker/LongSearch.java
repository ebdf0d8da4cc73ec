package dev.lightpath.worker;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.worker.wire.SearchCodec;

/** A search that takes minutes unless it is stopped. */
public final class LongSearch {
    private LongSearch() {}

    public static DeltaInstance instance() {
        return InstanceGenerator.generate(Preset.MEGATRON_462B.workload());
    }

    public static Goal goal() {
        return Goal.fewestPorts(Algorithm.TOPOLOGY, 1e-9);
    }

    public static Question question() {
        return SearchCodec.question(instance(), goal(), SearchLimits.standard().withNodes(1L << 40));
    }
}

package dev.lightpath.studies.delta;

import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.studies.Study;
import java.util.List;

/** The studies of this package, and what they have in common. */
public final class DeltaStudies {
    /** The workloads of Table I, in its order. */
    static final List<Preset> WORKLOADS =
            List.of(Preset.MEGATRON_177B, Preset.MIXTRAL_8X22B, Preset.MEGATRON_462B, Preset.DEEPSEEK_671B);

    static final List<Integer> BANDWIDTHS_GBPS = List.of(200, 400, 800, 1600);
    static final List<Integer> SEQUENCE_LENGTHS = List.of(1024, 2048, 4096, 8192, 16384);

    private DeltaStudies() {}

    /** One of each. */
    public static List<Study> all() {
        return List.of(new NctStudy(), new PortsStudy(), new ReallocationStudy(), new RuntimeStudy());
    }

    /** A search on all cores that ends within seconds a cell. */
    static SearchLimits limits(long nodes, long seed) {
        return SearchLimits.standard()
                .withNodes(nodes)
                .withSeed(seed)
                .withThreads(Runtime.getRuntime().availableProcessors());
    }
}

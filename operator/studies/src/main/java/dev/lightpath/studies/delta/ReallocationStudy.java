package dev.lightpath.studies.delta;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.PortReallocation;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Fig. 10: what the ports one job spares do for its transposed twin. */
final class ReallocationStudy implements Study {
    private static final long NODES = 20_000;

    /** The paper's printed overheads over an ideal network, percent, before and after (section V-D). */
    private static final Map<Preset, String> PAPER = Map.of(
            Preset.MEGATRON_177B, "11.0 to 2.2",
            Preset.MIXTRAL_8X22B, "46.5 to 20.4",
            Preset.DEEPSEEK_671B, "24.3 to 2.8");

    @Override
    public String name() {
        return "delta-reallocation";
    }

    @Override
    public String question() {
        return "What do freed ports do for a second job with reversed stages? (DELTA Fig. 10)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        for (Preset preset : DeltaStudies.WORKLOADS) {
            for (double tolerance : List.of(1e-9, 1e-3)) {
                progress.accept(preset.label() + ", tolerance " + tolerance);
                PortReallocation result = PortReallocation.between(
                        InstanceGenerator.generate(preset.workload(400, preset.microBatches(), 4096, false)),
                        InstanceGenerator.generate(preset.workload(400, preset.microBatches(), 4096, true)),
                        Algorithm.JOINT,
                        tolerance,
                        new DeltaPlanner(),
                        DeltaStudies.limits(NODES, options.seed()));
                rows.add(List.of(
                        preset.label(),
                        tolerance,
                        result.freedPorts().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum(),
                        result.freedPorts().toString(),
                        100 * (result.transposedBefore().nct() - 1),
                        100 * (result.transposedAfter().nct() - 1),
                        result.transposedAfter().proved(),
                        PAPER.getOrDefault(preset, "")));
            }
        }
        return new StudyTable(
                "DELTA Fig. 10: overhead of the transposed twin over an ideal network, 400 Gb/s, sequence length 4096",
                List.of("workload", "tolerance", "freed ports", "per pod", "before %", "after %", "proved", "paper"),
                rows,
                List.of(
                        "Rates joint. The twin's pod i holds the stages of the job's pod k-1-i and gets its freed ports."),
                Optional.empty());
    }
}

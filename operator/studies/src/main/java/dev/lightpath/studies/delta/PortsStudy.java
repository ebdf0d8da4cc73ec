package dev.lightpath.studies.delta;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Fig. 9: fewest ports without a longer iteration. */
final class PortsStudy implements Study {
    private static final long NODES = 20_000;
    private static final List<Double> TOLERANCES = List.of(1e-9, 1e-3);

    /**
     * The paper's printed share of ports, percent, of DELTA-Joint and DELTA-Topo (section V-D); "below 80" elsewhere.
     */
    private static final Map<String, Double> PAPER = Map.of(
            "megatron-462b JOINT", 60.9,
            "megatron-462b TOPOLOGY", 68.8,
            "deepseek-671b JOINT", 81.3);

    @Override
    public String name() {
        return "delta-ports";
    }

    @Override
    public String question() {
        return "How few ports reach the shortest iteration? (DELTA Fig. 9)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        DeltaPlanner planner = new DeltaPlanner();
        for (Preset preset : DeltaStudies.WORKLOADS) {
            for (int gbps : DeltaStudies.BANDWIDTHS_GBPS) {
                DeltaInstance instance =
                        InstanceGenerator.generate(preset.workload(gbps, preset.microBatches(), 4096, false));
                for (Algorithm algorithm : List.of(Algorithm.JOINT, Algorithm.TOPOLOGY)) {
                    for (double tolerance : TOLERANCES) {
                        progress.accept(
                                preset.label() + " at " + gbps + " Gb/s, " + algorithm + ", tolerance " + tolerance);
                        DeltaSolution solution = planner.solve(
                                instance,
                                Goal.fewestPorts(algorithm, tolerance),
                                DeltaStudies.limits(NODES, options.seed()));
                        Object printed =
                                gbps == 400 ? PAPER.getOrDefault(preset.label() + " " + algorithm, -1.0) : (Object) "";
                        rows.add(List.of(
                                preset.label(),
                                gbps,
                                algorithm.name().toLowerCase(Locale.ROOT),
                                tolerance,
                                solution.ports(),
                                solution.portBound(),
                                solution.portBudget(),
                                100.0 * solution.ports() / solution.portBudget(),
                                solution.proved(),
                                printed.equals(-1.0) ? "< 80" : printed));
                    }
                }
            }
        }
        return new StudyTable(
                "DELTA Fig. 9: share of ports that keeps the shortest iteration",
                List.of(
                        "workload",
                        "Gb/s",
                        "rates",
                        "tolerance",
                        "ports",
                        "at least",
                        "budget",
                        "share %",
                        "proved",
                        "paper"),
                rows,
                List.of(
                        "tolerance: how much longer, relatively, the iteration may be than the shortest found.",
                        "'below 80 %' does not hold where communication is heavy: the higher counts marked proved are minimal."),
                Optional.empty());
    }
}

package dev.lightpath.studies.delta;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.CircuitBounds;
import dev.lightpath.planner.delta.search.IntervalPruning;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Fig. 11: time to solve as micro-batches grow, and what Algorithms 1, 2 and 4 save. */
final class RuntimeStudy implements Study {
    private static final List<Integer> MICRO_BATCHES = List.of(64, 128, 256, 512);
    private static final long NODES = 100_000;

    /** The paper's longest time of DELTA-Joint with a hot start, seconds (section V-E). */
    private static final Map<Preset, Integer> PAPER_LONGEST_SECONDS =
            Map.of(Preset.MEGATRON_462B, 358, Preset.DEEPSEEK_671B, 637);

    @Override
    public String name() {
        return "delta-runtime";
    }

    @Override
    public String question() {
        return "How long does a solution take as micro-batches grow? (DELTA Fig. 11)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Series> lines = new ArrayList<>();
        DeltaPlanner planner = new DeltaPlanner();
        for (Preset preset : List.of(Preset.MEGATRON_462B, Preset.DEEPSEEK_671B)) {
            List<Chart.Point> points = new ArrayList<>();
            for (int microBatches : MICRO_BATCHES) {
                progress.accept(preset.label() + " with " + microBatches + " micro-batches");
                long start = System.nanoTime();
                DeltaInstance instance = InstanceGenerator.generate(preset.workload(400, microBatches, 4096, false));
                double generated = secondsSince(start);
                start = System.nanoTime();
                DeltaSolution joint = planner.solve(
                        instance, Goal.shortest(Algorithm.JOINT), DeltaStudies.limits(NODES, options.seed()));
                double jointSeconds = secondsSince(start);
                start = System.nanoTime();
                DeltaSolution fast = planner.solve(
                        instance, Goal.shortest(Algorithm.FAST), DeltaStudies.limits(NODES, options.seed()));
                double fastSeconds = secondsSince(start);
                IntervalPruning pruning =
                        IntervalPruning.of(instance, new Simulator(instance).simulate(fast.topology(), Rates.FAIR), 0);
                boolean largest = microBatches == MICRO_BATCHES.getLast();
                rows.add(List.of(
                        preset.label(),
                        microBatches,
                        instance.tasks().size(),
                        instance.dependencies().size(),
                        generated,
                        jointSeconds,
                        joint.gap(),
                        fastSeconds,
                        pruning.pairs(),
                        pruning.remainingPairs(),
                        choices(instance.groups().stream()
                                .map(CircuitGroup::maxCircuits)
                                .toList()),
                        choices(CircuitBounds.of(instance, fast.makespanSeconds())),
                        largest ? PAPER_LONGEST_SECONDS.getOrDefault(preset, 0) : (Object) ""));
                points.add(new Chart.Point(microBatches, jointSeconds));
            }
            lines.add(new Chart.Series(preset.label() + ", joint", points));
        }
        return new StudyTable(
                "DELTA Fig. 11: time to solve (s), 400 Gb/s, this machine",
                List.of(
                        "workload",
                        "micro-batches",
                        "tasks",
                        "dependencies",
                        "generate s",
                        "joint s",
                        "joint gap",
                        "fast s",
                        "task-interval pairs",
                        "after Alg. 1",
                        "topologies",
                        "after Algs. 2, 4",
                        "paper"),
                rows,
                List.of(
                        "paper: longest time of DELTA-Joint with a hot start over its micro-batches, on Gurobi 13 (s).",
                        "topologies: counts within the limits of the groups, ports aside.",
                        "Times are wall-clock and include the warm-up of the Java machine in the first row."),
                Optional.of(new Chart("Exact joint search with proof", "micro-batches", "seconds", lines)));
    }

    private static double choices(List<Integer> mostCircuits) {
        return mostCircuits.stream().mapToDouble(Integer::doubleValue).reduce(1, (all, most) -> all * most);
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}

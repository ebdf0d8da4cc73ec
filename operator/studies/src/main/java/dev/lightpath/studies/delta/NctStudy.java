package dev.lightpath.studies.delta;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Figs. 6 and 8: normalised communication time of every algorithm. */
final class NctStudy implements Study {
    private static final long NODES = 3_000;
    private static final int PAPER_SEQUENCE_LENGTH = 4096;

    /**
     * Largest reduction of DELTA-Joint against the best baseline over the bandwidths, percent, and where (section V-B).
     */
    private static final Map<Preset, PrintedReduction> PAPER_BANDWIDTH = Map.of(
            Preset.MEGATRON_177B, new PrintedReduction(11.5, 800),
            Preset.MIXTRAL_8X22B, new PrintedReduction(13.7, 1600),
            Preset.MEGATRON_462B, new PrintedReduction(10.7, 200),
            Preset.DEEPSEEK_671B, new PrintedReduction(17.5, 800));

    /** The paper's NCT of DELTA-Joint at 1600 Gb/s (section V-B). */
    private static final Map<Preset, Double> PAPER_AT_1600 = Map.of(
            Preset.MEGATRON_177B, 1.012,
            Preset.MIXTRAL_8X22B, 1.127,
            Preset.MEGATRON_462B, 1.0,
            Preset.DEEPSEEK_671B, 1.0);

    /** The paper's NCT of DELTA-Joint at 400 Gb/s, by sequence length (section V-C). */
    private static final Map<Preset, Map<Integer, Double>> PAPER_BY_LENGTH = Map.of(
            Preset.MEGATRON_177B, Map.of(2048, 1.119, 16384, 1.042),
            Preset.MIXTRAL_8X22B, Map.of(2048, 1.448, 16384, 1.307),
            Preset.MEGATRON_462B, Map.of(2048, 1.023, 16384, 1.0),
            Preset.DEEPSEEK_671B, Map.of(2048, 1.256, 16384, 1.0));

    private record PrintedReduction(double percent, int gbps) {}

    @Override
    public String name() {
        return "delta-nct";
    }

    @Override
    public String question() {
        return "How close to an ideal network does each algorithm bring an iteration? (DELTA Figs. 6 and 8)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Chart.Series> lines = new ArrayList<>();
        DeltaPlanner planner = new DeltaPlanner();
        for (Preset preset : DeltaStudies.WORKLOADS) {
            double largest = 0;
            int where = 0;
            List<Chart.Point> points = new ArrayList<>();
            for (int gbps : DeltaStudies.BANDWIDTHS_GBPS) {
                for (int length : DeltaStudies.SEQUENCE_LENGTHS) {
                    progress.accept(preset.label() + " at " + gbps + " Gb/s, sequence length " + length);
                    DeltaInstance instance =
                            InstanceGenerator.generate(preset.workload(gbps, preset.microBatches(), length, false));
                    Map<Algorithm, DeltaSolution> solved = new EnumMap<>(Algorithm.class);
                    for (Algorithm algorithm : Algorithm.values()) {
                        solved.put(
                                algorithm,
                                planner.solve(
                                        instance,
                                        Goal.shortest(algorithm),
                                        DeltaStudies.limits(NODES, options.seed())));
                    }
                    double joint = nct(solved, Algorithm.JOINT);
                    double baseline = Math.min(
                            nct(solved, Algorithm.PROP),
                            Math.min(nct(solved, Algorithm.SQRT), nct(solved, Algorithm.ITER_HALVE)));
                    double reduction = 100 * (1 - joint / baseline);
                    rows.add(List.of(
                            preset.label(),
                            gbps,
                            length,
                            nct(solved, Algorithm.PROP),
                            nct(solved, Algorithm.SQRT),
                            nct(solved, Algorithm.ITER_HALVE),
                            nct(solved, Algorithm.FAST),
                            nct(solved, Algorithm.TOPOLOGY),
                            joint,
                            gap(solved, Algorithm.TOPOLOGY),
                            gap(solved, Algorithm.JOINT),
                            reduction,
                            paper(preset, gbps, length)));
                    if (length == PAPER_SEQUENCE_LENGTH) {
                        points.add(new Chart.Point(gbps, joint));
                        if (reduction > largest) {
                            largest = reduction;
                            where = gbps;
                        }
                    }
                }
            }
            lines.add(new Chart.Series(preset.label() + ", joint", points));
            PrintedReduction printed = PAPER_BANDWIDTH.getOrDefault(preset, new PrintedReduction(0, 0));
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: largest reduction of joint against the best baseline %.1f %% at %d Gb/s; the paper prints %.1f %% at %d Gb/s",
                    preset.label(),
                    largest,
                    where,
                    printed.percent,
                    printed.gbps));
        }
        notes.add("gap: (makespan - lower bound) / makespan; 0 is a proof. Joint under joint rates, all others fair.");
        notes.add(
                "The paper's effective GPU speeds are not printed; ours are calibrations, so its figures differ by percents.");
        return new StudyTable(
                "DELTA Figs. 6 and 8: normalised communication time",
                List.of(
                        "workload",
                        "Gb/s",
                        "sequence",
                        "prop",
                        "sqrt",
                        "iter-halve",
                        "fast",
                        "topology",
                        "joint",
                        "topology gap",
                        "joint gap",
                        "reduction %",
                        "paper"),
                rows,
                notes,
                Optional.of(new Chart(
                        "DELTA-Joint, sequence length 4096",
                        "circuit (Gb/s)",
                        "normalised communication time",
                        lines)));
    }

    private static double nct(Map<Algorithm, DeltaSolution> solved, Algorithm algorithm) {
        return solution(solved, algorithm).nct();
    }

    private static double gap(Map<Algorithm, DeltaSolution> solved, Algorithm algorithm) {
        return solution(solved, algorithm).gap();
    }

    private static DeltaSolution solution(Map<Algorithm, DeltaSolution> solved, Algorithm algorithm) {
        return Objects.requireNonNull(solved.get(algorithm));
    }

    /** The paper's printed NCT of DELTA-Joint in a cell, empty where its text gives none. */
    private static Object paper(Preset preset, int gbps, int length) {
        if (gbps == 1600 && length == PAPER_SEQUENCE_LENGTH) {
            return PAPER_AT_1600.getOrDefault(preset, 0.0);
        }
        Double printed =
                gbps == 400 ? PAPER_BY_LENGTH.getOrDefault(preset, Map.of()).get(length) : null;
        return printed == null ? "" : printed;
    }
}

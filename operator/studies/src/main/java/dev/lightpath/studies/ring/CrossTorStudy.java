package dev.lightpath.studies.ring;

import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.rack.RackAlgorithm;
import dev.lightpath.planner.ring.rack.RackOrchestration;
import dev.lightpath.planner.ring.rack.RackOutcome;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The metric X by cluster size, job scale and fault ratio. */
final class CrossTorStudy {

    private static final int TENSOR = 32;
    private static final int GPUS_PER_NODE = 8;
    private static final int TRIALS = 40;
    private static final String INDEPENDENT = "independent faults";
    /** Job scale and fault ratio in percent. */
    private static final int[][] ASKED = {{90, 5}, {85, 8}};

    private CrossTorStudy() {}

    static StudyTable run(Study.Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        for (int gpus = 2048; gpus <= 16_384; gpus *= 2) {
            rows.add(row("cluster size", gpus, 85, 5, options.seed(), ""));
        }
        progress.accept("cluster sizes: done");
        for (int scale = 70; scale <= 92; scale += 2) {
            rows.add(row("job scale", 8192, scale, 5, options.seed(), scale == 90 ? "1.72 % (figure 13b)" : ""));
        }
        progress.accept("job scales: done");
        List<List<Object>> sweep = new ArrayList<>();
        for (int percent = 0; percent <= 10; percent++) {
            sweep.add(
                    row("fault ratio", 8192, 85, percent, options.seed(), percent < 7 ? "near zero (figure 13c)" : ""));
            progress.accept("fault ratio " + percent + " %: done");
        }
        rows.addAll(sweep);
        for (int[] setting : ASKED) {
            rows.add(row("exact number of faults", 8192, setting[0], setting[1], options.seed(), ""));
        }
        for (int[] setting : ASKED) {
            rows.add(row(INDEPENDENT, 8192, setting[0], setting[1], options.seed(), ""));
            progress.accept(setting[0] + " % of the GPUs, " + setting[1] + " % faults drawn independently: done");
        }
        return new StudyTable(
                "Traffic across racks, X: TP-32, 8-GPU nodes, 2 nodes per ToR, 512 nodes per aggregation domain, K = 3",
                List.of(
                        "varied",
                        "gpus",
                        "jobScalePercent",
                        "faultPercent",
                        "greedy",
                        "paperAlgorithm",
                        "exact",
                        "bound",
                        "floor",
                        "paper"),
                rows,
                List.of(
                        "mean of " + TRIALS
                                + " trials, each with exactly fault ratio * nodes faulty nodes unless said otherwise;"
                                + " a setting without room is left empty",
                        "greedy: Algorithm 2 along the fibre, groups in ring order; the paper prints about 10 % for a"
                                + " baseline that picks nodes at random until they fit, without saying how sets are"
                                + " formed",
                        "paperAlgorithm: Algorithm 5 corrected (it must keep the best feasible number of constraints;"
                                + " as printed it returns None on 40 % of the feasible cases)",
                        "exact: dynamic programme and pairing; bound: no placement of its class lies below; floor: no"
                                + " placement of any kind does (ranks that do not cross fill whole racks)",
                        "independent faults: each node fails by itself, seeds as of ring place --fault-seed; a few"
                                + " trials with many faults then dominate the mean"),
                Optional.of(new Chart(
                        "Traffic across racks at 85 % job scale",
                        "node fault ratio (%)",
                        "X",
                        List.of(
                                series("greedy", sweep, 4),
                                series("paper's algorithm", sweep, 5),
                                series("exact", sweep, 6)))));
    }

    private static Chart.Series series(String name, List<List<Object>> sweep, int column) {
        return new Chart.Series(
                name,
                sweep.stream()
                        .filter(row -> row.get(column) instanceof Double)
                        .map(row -> new Chart.Point((Integer) row.get(3), (Double) row.get(column)))
                        .collect(Collectors.toList()));
    }

    private static SortedSet<Integer> faulty(String varied, int nodes, int percent, long seed) {
        return varied.equals(INDEPENDENT)
                ? FaultDraw.networkNumbers(nodes, percent / 100.0, seed)
                : FaultDraw.exactly(nodes, Math.round(percent * nodes / 100f), seed);
    }

    private static List<Object> row(String varied, int gpus, int scale, int percent, long seed, String paper) {
        int nodes = gpus / GPUS_PER_NODE;
        RingFabric fabric = new RingFabric(RingShape.LINE, nodes, 3, GPUS_PER_NODE, 2, Math.min(512, nodes));
        RingDemand demand = new RingDemand(TENSOR, (scale * gpus + 100 * TENSOR - 1) / (100 * TENSOR));
        double[] ratios = new double[5];
        boolean room = true;
        for (int trial = 0; trial < TRIALS; trial++) {
            RingHealth health = RingHealth.faulty(faulty(varied, nodes, percent, seed + trial).stream()
                    .map(fabric::positionOf)
                    .collect(Collectors.toSet()));
            ratios[4] += RackOrchestration.floor(fabric, health, demand, Set.of());
            List<RackAlgorithm> algorithms = List.of(RackAlgorithm.GREEDY, RackAlgorithm.PAPER, RackAlgorithm.EXACT);
            for (int i = 0; i < algorithms.size(); i++) {
                switch (RackOrchestration.place(fabric, health, demand, Set.of(), algorithms.get(i))) {
                    case RackOutcome.Placed placed -> {
                        ratios[i] += placed.crossTorRatio();
                        ratios[3] = algorithms.get(i) == RackAlgorithm.EXACT
                                ? ratios[3] + placed.crossTorBound()
                                : ratios[3];
                    }
                    case RackOutcome.Infeasible none -> room = false;
                }
            }
        }
        List<Object> row = new ArrayList<>(List.of(varied, gpus, scale, percent));
        for (double ratio : ratios) {
            row.add(room ? (Object) (ratio / TRIALS) : "");
        }
        row.add(paper);
        return row;
    }
}

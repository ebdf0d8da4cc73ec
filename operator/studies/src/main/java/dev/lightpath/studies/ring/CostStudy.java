package dev.lightpath.studies.ring;

import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.Architecture;
import dev.lightpath.studies.evaluation.InterconnectCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Interconnect cost and power from components, and the aggregate cost under faults. */
final class CostStudy {

    private static final double GPU_DOLLARS = 25_000;
    private static final int GPUS = 11_520;
    private static final int GPUS_PER_NODE = 4;
    private static final int TENSOR = 32;
    private static final int DRAWS = 20;
    private static final double PRINTED_TOLERANCE = 0.006;

    /** Table 6: dollars and watts per GPU, dollars and watts per GPU and GB/s. */
    private static final Map<String, double[]> TABLE_SIX = tableSix();

    private CostStudy() {}

    private static Map<String, double[]> tableSix() {
        Map<String, double[]> table = new LinkedHashMap<>();
        table.put("TPUv4", new double[] {1567.20, 19.39, 5.22, 0.06});
        table.put("NVL-36", new double[] {9563.20, 75.95, 10.63, 0.08});
        table.put("NVL-72", new double[] {9563.20, 75.95, 10.63, 0.08});
        table.put("NVL-36x2", new double[] {17_924.00, 150.33, 19.92, 0.17});
        table.put("NVL-576", new double[] {30_417.60, 413.45, 33.80, 0.46});
        table.put("InfinitePOD K=2", new double[] {2626.80, 48.10, 3.28, 0.06});
        table.put("InfinitePOD K=3", new double[] {3740.60, 72.05, 4.68, 0.07});
        return table;
    }

    static StudyTable run(Study.Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        String[] measures = {"dollars per GPU", "watts per GPU", "dollars per GPU and GB/s", "watts per GPU and GB/s"};
        for (InterconnectCost cost : InterconnectCost.tableEight()) {
            double[] ours = {
                cost.dollarsPerGpu(), cost.wattsPerGpu(), cost.dollarsPerGpuPerGbyte(), cost.wattsPerGpuPerGbyte()
            };
            double[] printed = TABLE_SIX.get(cost.name());
            for (int i = 0; i < ours.length; i++) {
                boolean misprint = printed != null && Math.abs(printed[i] - ours[i]) > PRINTED_TOLERANCE;
                rows.add(List.of(
                        "interconnect",
                        cost.name(),
                        measures[i],
                        ours[i],
                        printed == null ? "" : printed[i],
                        misprint ? "misprint" : ""));
            }
        }
        List<Chart.Series> series = aggregate(options.seed(), rows);
        progress.accept("aggregate cost: done");
        return new StudyTable(
                "Interconnect cost and power from the components of Table 8, against Table 6; aggregate cost of Fig. 13d",
                List.of("part", "architecture", "measure", "value", "paper", "remark"),
                rows,
                List.of(
                        "aggregate: dollars per GPU of wasted and faulty GPUs and the interconnect, " + GPUS
                                + " GPUs, TP-"
                                + TENSOR + ", a GPU at " + (int) GPU_DOLLARS
                                + " dollars (assumed: the paper does not print its price), mean of "
                                + DRAWS + " draws",
                        "the paper finds K=2 cheaper than K=3 below 12.1 % faults"),
                Optional.of(new Chart("Aggregate cost", "node fault ratio (%)", "dollars per GPU", series)));
    }

    private static List<Chart.Series> aggregate(long seed, List<List<Object>> rows) {
        Map<String, Architecture> compared = new LinkedHashMap<>();
        compared.put("InfinitePOD K=2", new Architecture.KHop(2, RingShape.LINE));
        compared.put("InfinitePOD K=3", new Architecture.KHop(3, RingShape.LINE));
        compared.put("TPUv4", new Architecture.FixedDomains("TPUv4", 64));
        compared.put("NVL-36", new Architecture.FixedDomains("NVL-36", 36));
        compared.put("NVL-72", new Architecture.FixedDomains("NVL-72", 72));
        compared.put("NVL-576", new Architecture.FixedDomains("NVL-576", 576));
        List<Chart.Series> series = new ArrayList<>();
        for (InterconnectCost cost : InterconnectCost.tableEight()) {
            Architecture architecture = compared.get(cost.name());
            if (architecture == null) {
                continue;
            }
            List<Chart.Point> points = new ArrayList<>();
            for (int percent = 0; percent <= 20; percent++) {
                double dollars = cost.dollarsPerGpu() + GPU_DOLLARS * lost(architecture, percent / 100.0, seed);
                rows.add(List.of("aggregate", cost.name(), percent + " % faults", dollars, "", ""));
                points.add(new Chart.Point(percent, dollars));
            }
            series.add(new Chart.Series(cost.name(), points));
        }
        return series;
    }

    /** Part of the GPUs that are faulty or wasted. */
    private static double lost(Architecture architecture, double ratio, long seed) {
        int nodes = GPUS / GPUS_PER_NODE;
        double usable = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            boolean[] faulty = new boolean[nodes];
            FaultDraw.networkNumbers(nodes, ratio, seed + draw).forEach(node -> faulty[node] = true);
            usable += architecture.usableGpus(faulty, GPUS_PER_NODE, TENSOR);
        }
        return 1 - usable / DRAWS / GPUS;
    }
}

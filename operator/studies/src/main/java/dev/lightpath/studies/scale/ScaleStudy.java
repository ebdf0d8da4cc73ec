package dev.lightpath.studies.scale;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.FaultTrace;
import dev.lightpath.studies.ring.TraceFile;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What a cluster of up to 1 048 576 GPUs costs the planner: how long decisions take, what is kept in memory, and how
 * many messages faults cause at the rate of a trace. The planner is the operator's; API server and drivers are on paper
 * and take no time.
 *
 * @param sizes how many fabrics the cluster has, a run for each
 * @param positions nodes of a fabric
 * @param faults of nodes that jobs use, on each fabric
 */
record ScaleStudy(List<Integer> sizes, int positions, int faults) implements Study {
    /** Of a hundred nodes those that jobs ask for. */
    private static final int LOAD_PERCENT = 78;

    private static final int WARM_UP = 5;
    private static final int WAKE_UPS = 20;
    private static final Duration REPAIR_TIME = Duration.ofHours(1);
    private static final double HOURS_PER_DAY = 24;
    private static final double SECONDS_PER_HOUR = 3600;

    /** Kubernetes' nodeStatusReportFrequency. */
    private static final double NODE_STATUS_SECONDS = 300;

    private static final double HEARTBEAT_SECONDS = 2;

    /** Eight fabrics of 16 384 nodes at most. */
    static ScaleStudy whole() {
        return new ScaleStudy(List.of(1, 2, 4, 8), 16_384, 20);
    }

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String question() {
        return "Decision times, memory and messages of up to 1 048 576 GPUs on eight fabrics (docs/scale.md)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        FaultTrace trace = TraceFile.read(options.trace());
        double faultsPerNodeHour =
                trace.events().stream().filter(FaultTrace.Event::starts).count()
                        / (trace.servers() * trace.durationDays() * HOURS_PER_DAY);
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Point> decisions = new ArrayList<>();
        for (int fabrics : sizes) {
            progress.accept(fabrics + " of " + Collections.max(sizes) + " fabrics of " + positions + " nodes");
            Measured measured = measure(fabrics, options.seed());
            int nodes = fabrics * positions;
            double faultsPerHour = faultsPerNodeHour * nodes;
            rows.add(List.of(
                    nodes * PaperRing.GPUS_PER_NODE,
                    fabrics,
                    measured.jobs(),
                    measured.placingSeconds(),
                    measured.wakeUpMs(),
                    quantile(measured.decisionMs(), 0.5),
                    quantile(measured.decisionMs(), 0.99),
                    quantile(measured.settledMs(), 0.5),
                    measured.heapMib(),
                    faultsPerHour,
                    measured.records() * faultsPerHour / SECONDS_PER_HOUR,
                    nodes / NODE_STATUS_SECONDS,
                    measured.changes() * faultsPerHour / SECONDS_PER_HOUR,
                    fabrics / HEARTBEAT_SECONDS));
            decisions.add(new Chart.Point(nodes, quantile(measured.decisionMs(), 0.5)));
        }
        return new StudyTable(
                "A cluster that one operator leads, as it grows",
                List.of(
                        "gpus",
                        "fabrics",
                        "jobs",
                        "placing all, s",
                        "wake-up at rest, ms",
                        "fault p50, ms",
                        "fault p99, ms",
                        "until all is done p50, ms",
                        "heap, MiB",
                        "faults an hour",
                        "records to the API server a second",
                        "Node events from the API server a second",
                        "changes to drivers a second",
                        "heartbeats from drivers a second"),
                rows,
                List.of(
                        "rings of " + positions + " nodes of " + PaperRing.GPUS_PER_NODE + " GPUs, K = 3; jobs of "
                                + PaperCluster.GROUPS_PER_JOB + " groups of " + PaperCluster.TENSOR + " GPUs ask for "
                                + LOAD_PERCENT + " % of the nodes, and all come at once",
                        "fault: the pass that sees that a node of a job failed, decides what its job gets instead, of "
                                + faults + " faults and their ends on each fabric after " + WARM_UP + " as warm-up",
                        "until all is done: all passes of a fault together; records and devices take no time here",
                        "heap: after a collection, with the states of all devices and what the planner keeps",
                        "an hour has as many faults of nodes as the trace; each fault also ends, and both are counted"
                                + " in records and changes",
                        "a kubelet writes the status of its Node each 5 minutes if nothing changes; each fabric has one driver,"
                                + " which is heard each 2 seconds"),
                Optional.of(new Chart(
                        "One fault",
                        "nodes",
                        "decision p50 (ms)",
                        List.of(new Chart.Series("all fabrics in one operator", decisions)))));
    }

    /**
     * @param decisionMs of the first pass after each fault or its end
     * @param settledMs of all passes after each
     * @param records written for a fault and its end
     * @param changes of devices for a fault and its end
     */
    private record Measured(
            int jobs,
            double placingSeconds,
            double wakeUpMs,
            List<Double> decisionMs,
            List<Double> settledMs,
            long heapMib,
            double records,
            double changes) {}

    private Measured measure(int fabrics, long seed) {
        List<PaperRing> rings = IntStream.range(0, fabrics)
                .mapToObj(number -> new PaperRing("ring-" + number, positions))
                .toList();
        PaperCluster cluster = new PaperCluster(rings);
        cluster.admit(positions * LOAD_PERCENT / 100 / PaperCluster.NODES_PER_JOB);
        double placing = sumMs(cluster.settle().passes()) / 1000;
        if (cluster.placed() == 0) {
            throw new BadInput("rings of " + positions + " nodes have no room for a job of "
                    + PaperCluster.NODES_PER_JOB + " nodes");
        }
        Random random = new Random(seed);
        List<Double> decisions = new ArrayList<>();
        List<Double> settled = new ArrayList<>();
        int records = 0;
        int changes = 0;
        for (int fault = -WARM_UP; fault < faults * fabrics; fault++) {
            PaperRing ring = rings.get(Math.floorMod(fault, fabrics));
            List<Integer> taken = cluster.taken(ring.name());
            int position = taken.get(random.nextInt(taken.size()));
            ring.fail(position);
            PaperCluster.Settled struck = cluster.settle();
            cluster.pass(REPAIR_TIME);
            ring.mend(position);
            PaperCluster.Settled mended = cluster.settle();
            cluster.pass(REPAIR_TIME);
            if (fault >= 0) {
                decisions.add(struck.passes().getFirst() / 1e6);
                settled.add(sumMs(struck.passes()));
                records += struck.records() + mended.records();
                changes += struck.changes() + mended.changes();
            }
        }
        List<Double> wakeUps = new ArrayList<>();
        for (int number = 0; number < WAKE_UPS; number++) {
            cluster.pass(Duration.ofSeconds(1));
            wakeUps.add(sumMs(cluster.settle().passes()));
        }
        long heapMib = heapMib();
        // the cluster counts as garbage after its last use
        Reference.reachabilityFence(cluster);
        return new Measured(
                cluster.placed(),
                placing,
                quantile(wakeUps, 0.5),
                decisions,
                settled,
                heapMib,
                (double) records / (faults * fabrics),
                (double) changes / (faults * fabrics));
    }

    private static double sumMs(List<Long> nanoseconds) {
        return nanoseconds.stream().mapToLong(Long::longValue).sum() / 1e6;
    }

    /** The smallest of the values that so large a share does not exceed. */
    private static double quantile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }

    private static long heapMib() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}

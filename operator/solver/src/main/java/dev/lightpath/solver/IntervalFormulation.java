package dev.lightpath.solver;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.IntervalPruning;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.solver.MixedIntegerProgram.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The MILP with variable-length time intervals (Eqs. 3 to 18): DELTA-Joint, or with Eq. 17 DELTA-Topo. Time is measured
 * in thousandths of the baseline's makespan and volume in circuits times that unit, so that numbers stay near 1.
 *
 * <p>Two departures from the printed equations. Eq. 13 equates the start flag with y_k - y_(k-1), which is -1 where a
 * task ends; here the flag is at least that difference. Groups of tied pairs share one count. The windows of Algorithm
 * 1 are variables that do not exist.
 */
final class IntervalFormulation {
    private static final double UNITS_PER_MAKESPAN = 1000;

    private final DeltaInstance instance;
    private final IntervalPruning windows;
    private final double unitSeconds;
    private final double horizon;
    private final MixedIntegerProgram program = new MixedIntegerProgram();
    private final CircuitCounts circuits;
    private final int[] time;
    private final int[] length;
    private final Map<Long, Integer> activeVariable = new HashMap<>();
    private final Map<Long, Integer> volumeVariable = new HashMap<>();
    private final int[] startVariable;
    private final int[] endVariable;
    private final int makespanVariable;

    /**
     * Builds the program.
     *
     * @param windows from Algorithm 1
     * @param baseline a schedule whose makespan bounds the horizon, and the hint
     * @param baselineTopology the circuits of the baseline
     * @param fair whether Eq. 17 holds
     */
    IntervalFormulation(
            DeltaInstance instance,
            IntervalPruning windows,
            Schedule baseline,
            Topology baselineTopology,
            boolean fair) {
        this.instance = instance;
        this.windows = windows;
        this.unitSeconds = baseline.makespanSeconds() / UNITS_PER_MAKESPAN;
        this.horizon = UNITS_PER_MAKESPAN * 1.01;
        int k = windows.intervals();
        time = new int[k + 1];
        length = new int[k];
        for (int i = 0; i <= k; i++) {
            time[i] = program.variable(0, horizon, false, boundary(i));
        }
        for (int i = 0; i < k; i++) {
            length[i] = program.variable(0, horizon, false, boundary(i + 1) - boundary(i));
            // Eq. 14
            program.constraint(
                    0, 0, new Terms().plus(1, length[i]).plus(-1, time[i + 1]).plus(1, time[i]));
        }
        startVariable = new int[instance.tasks().size()];
        endVariable = new int[instance.tasks().size()];
        makespanVariable = program.variable(0, horizon, false, UNITS_PER_MAKESPAN);
        circuits = new CircuitCounts(instance, program, baselineTopology);
        List<List<List<Integer>>> products = circuits.products(length, horizon);
        tasks(baseline);
        capacities(products);
        dependencies();
        if (fair) {
            fairness();
        }
        program.minimize(new Terms().plus(1, makespanVariable));
    }

    MixedIntegerProgram program() {
        return program;
    }

    /** Turns the program into the search for fewest circuit ends within a makespan (Eq. 4). */
    void minimizePorts(double limitSeconds) {
        program.atMost(limitSeconds / unitSeconds, new Terms().plus(1, makespanVariable));
        program.minimize(circuits.countedEnds());
    }

    double seconds(double units) {
        return units * unitSeconds;
    }

    /** The circuits of a solution. */
    Topology topology(MilpOutcome.Solved solved) {
        return circuits.topology(solved);
    }

    private static long key(int first, int second) {
        return ((long) first << 32) | second;
    }

    private double boundary(int k) {
        return windows.boundarySeconds().get(k) / unitSeconds;
    }

    private double volume(CommunicationTask task) {
        return task.bytes() / (instance.circuitBytesPerSecond() * unitSeconds);
    }

    /** Eqs. 11 to 13, 15 and 18. */
    private void tasks(Schedule baseline) {
        for (CommunicationTask task : instance.tasks()) {
            int m = task.id();
            double volume = volume(task);
            startVariable[m] =
                    program.variable(0, horizon, false, baseline.tasks().get(m).startSeconds() / unitSeconds);
            endVariable[m] =
                    program.variable(0, horizon, false, baseline.tasks().get(m).endSeconds() / unitSeconds);
            program.atLeast(0, new Terms().plus(1, endVariable[m]).plus(-1, startVariable[m]));
            program.atLeast(0, new Terms().plus(1, makespanVariable).plus(-1, endVariable[m]));
            Terms all = new Terms();
            Terms starts = new Terms();
            int before = -1;
            double earlier = 0;
            for (int k = windows.first().get(m) - 1; k < windows.last().get(m); k++) {
                double runs = runs(baseline.tasks().get(m), k) ? 1 : 0;
                int y = program.binary(runs);
                int w = program.variable(0, volume, false, Double.NaN);
                int flag = program.binary(Math.max(0, runs - earlier));
                earlier = runs;
                activeVariable.put(key(m, k), y);
                volumeVariable.put(key(m, k), w);
                all.plus(1, w);
                starts.plus(1, flag);
                program.atMost(0, new Terms().plus(1, w).plus(-volume, y));
                Terms rising = new Terms().plus(1, flag).plus(-1, y);
                if (before >= 0) {
                    rising.plus(1, before);
                }
                program.atLeast(0, rising);
                before = y;
                program.atMost(
                        horizon,
                        new Terms().plus(1, startVariable[m]).plus(-1, time[k]).plus(horizon, y));
                program.atLeast(
                        -horizon,
                        new Terms()
                                .plus(1, endVariable[m])
                                .plus(-1, time[k + 1])
                                .plus(-horizon, y));
            }
            program.constraint(volume, volume, all);
            program.constraint(1, 1, starts);
        }
    }

    /** Whether a task runs in an interval of the baseline. */
    private boolean runs(Schedule.Times times, int k) {
        double middle =
                (windows.boundarySeconds().get(k) + windows.boundarySeconds().get(k + 1)) / 2;
        return times.startSeconds() < middle && middle < times.endSeconds();
    }

    /** Eqs. 9 and 10. */
    private void capacities(List<List<List<Integer>>> products) {
        Map<PodPair, Integer> groupOf = new HashMap<>();
        for (int g = 0; g < instance.groups().size(); g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                groupOf.put(pair.sorted(), g);
            }
        }
        Map<PodPair, List<CommunicationTask>> onLink = new TreeMap<>();
        Map<List<Integer>, Integer> cards = new HashMap<>();
        Map<Integer, List<Integer>> out = new TreeMap<>();
        Map<Integer, List<Integer>> in = new TreeMap<>();
        for (CommunicationTask task : instance.tasks()) {
            onLink.computeIfAbsent(new PodPair(task.source(), task.destination()), _ -> new ArrayList<>())
                    .add(task);
            task.sourceGpus()
                    .forEach(gpu ->
                            out.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(task.id()));
            task.destinationGpus()
                    .forEach(gpu ->
                            in.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(task.id()));
        }
        for (int k = 0; k < length.length; k++) {
            for (Map.Entry<PodPair, List<CommunicationTask>> link : onLink.entrySet()) {
                Terms carried = new Terms();
                for (CommunicationTask task : link.getValue()) {
                    addVolume(carried, 1, task.id(), k);
                }
                if (carried.size() > 0) {
                    int b = 0;
                    int group = Objects.requireNonNull(groupOf.get(link.getKey().sorted()));
                    for (int p : products.get(group).get(k)) {
                        carried.plus(-(double) (1 << b++), p);
                    }
                    program.atMost(0, carried);
                }
            }
            cards.clear();
            cards(out, true, k, cards);
            cards.clear();
            cards(in, false, k, cards);
        }
    }

    /** GPUs with the same tasks have the same constraint; it is written once. */
    private void cards(Map<Integer, List<Integer>> tasksOf, boolean sends, int k, Map<List<Integer>, Integer> written) {
        for (Map.Entry<Integer, List<Integer>> card : tasksOf.entrySet()) {
            if (written.putIfAbsent(card.getValue(), card.getKey()) == null) {
                Terms load = new Terms();
                for (int m : card.getValue()) {
                    CommunicationTask task = instance.tasks().get(m);
                    int gpus = sends
                            ? task.sourceGpus().size()
                            : task.destinationGpus().size();
                    addVolume(load, 1.0 / gpus, m, k);
                }
                if (load.size() > 0) {
                    program.atMost(0, load.plus(-1, length[k]));
                }
            }
        }
    }

    private void addVolume(Terms terms, double factor, int task, int k) {
        Integer w = volumeVariable.get(key(task, k));
        if (w != null) {
            terms.plus(factor, w);
        }
    }

    /** Eq. 16. */
    private void dependencies() {
        for (Dependency dependency : instance.dependencies()) {
            double delay = dependency.delaySeconds() / unitSeconds;
            Terms terms = new Terms().plus(1, startVariable[dependency.post()]);
            if (dependency.pre() != Dependency.START) {
                terms.plus(-1, endVariable[dependency.pre()]);
            }
            program.atLeast(delay, terms);
        }
    }

    /** Eq. 17: concurrently active tasks of a link send the same volume per flow. */
    private void fairness() {
        Map<PodPair, List<CommunicationTask>> onLink = new TreeMap<>();
        instance.tasks()
                .forEach(task -> onLink.computeIfAbsent(
                                new PodPair(task.source(), task.destination()), _ -> new ArrayList<>())
                        .add(task));
        for (List<CommunicationTask> tasks : onLink.values()) {
            double most = 0;
            for (CommunicationTask task : tasks) {
                most = Math.max(most, volume(task) / task.flows());
            }
            for (int k = 0; k < length.length; k++) {
                int share = program.variable(0, most, false, Double.NaN);
                for (CommunicationTask task : tasks) {
                    Integer w = volumeVariable.get(key(task.id(), k));
                    Integer y = activeVariable.get(key(task.id(), k));
                    if (w != null && y != null) {
                        double perFlow = 1.0 / task.flows();
                        program.atMost(
                                most,
                                new Terms().plus(perFlow, w).plus(-1, share).plus(most, y));
                        program.atMost(
                                most,
                                new Terms().plus(-perFlow, w).plus(1, share).plus(most, y));
                    }
                }
            }
        }
    }
}

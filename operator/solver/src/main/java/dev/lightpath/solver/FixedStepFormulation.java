package dev.lightpath.solver;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.TimeWindows;
import dev.lightpath.solver.MixedIntegerProgram.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The MILP with time slices of one length (Appendix A, Eqs. 19 to 28 and 30), in whole numbers for CP-SAT. Rates are
 * multiples of a quarter of a circuit; volumes and delays are rounded up to slices. So its result is only as precise as
 * the slices. It serves to compare with the paper, and is never used for an answer. Slices outside a task's window
 * (Algorithm 4) are left out.
 */
final class FixedStepFormulation {
    private static final int QUANTA_PER_CIRCUIT = 4;

    private final DeltaInstance instance;
    private final int slices;
    private final double sliceSeconds;
    private final MixedIntegerProgram program = new MixedIntegerProgram();
    private final List<Integer> circuits = new ArrayList<>();
    private final List<Map<Integer, Integer>> rate = new ArrayList<>();
    private final int[] firstSlice;
    private final int[] lastSlice;
    private final int makespanVariable;

    /**
     * Builds the program.
     *
     * @param slices number of slices (T)
     * @param sliceSeconds length of one
     */
    FixedStepFormulation(DeltaInstance instance, int slices, double sliceSeconds) {
        this.instance = instance;
        this.slices = slices;
        this.sliceSeconds = sliceSeconds;
        int n = instance.tasks().size();
        firstSlice = new int[n];
        lastSlice = new int[n];
        makespanVariable = program.variable(1, slices, true, Double.NaN);
        topology();
        tasks();
        capacities();
        dependencies();
        program.minimize(new Terms().plus(1, makespanVariable));
    }

    MixedIntegerProgram program() {
        return program;
    }

    double seconds(double units) {
        return units * sliceSeconds;
    }

    /** The circuits of a solution. */
    Topology topology(MilpOutcome.Solved solved) {
        return new Topology(circuits.stream()
                .map(variable -> (int) Math.round(solved.values().get(variable)))
                .toList());
    }

    /** Eq. 21. */
    private void topology() {
        instance.groups().forEach(group -> circuits.add(program.variable(1, group.maxCircuits(), true, Double.NaN)));
        for (Pod pod : instance.pods()) {
            Terms ends = new Terms();
            for (int g = 0; g < circuits.size(); g++) {
                for (PodPair pair : instance.groups().get(g).pairs()) {
                    if (pair.first() == pod.id() || pair.second() == pod.id()) {
                        ends.plus(1, circuits.get(g));
                    }
                }
            }
            if (pod.counted() && ends.size() > 0) {
                program.atMost(pod.ports(), ends);
            }
        }
    }

    /** Eqs. 24 to 27 and 30: start and end slice, and an activity flag between them. */
    private void tasks() {
        TimeWindows windows = TimeWindows.of(instance, slices * sliceSeconds);
        double quantum = instance.circuitBytesPerSecond() * sliceSeconds / QUANTA_PER_CIRCUIT;
        for (CommunicationTask task : instance.tasks()) {
            int m = task.id();
            int from =
                    (int) Math.max(0, Math.floor(windows.earliestStartSeconds().get(m) / sliceSeconds));
            firstSlice[m] = program.variable(from, slices - 1, true, Double.NaN);
            lastSlice[m] = program.variable(from, slices - 1, true, Double.NaN);
            program.atLeast(0, new Terms().plus(1, lastSlice[m]).plus(-1, firstSlice[m]));
            program.atLeast(1, new Terms().plus(1, makespanVariable).plus(-1, lastSlice[m]));
            int gpus = Math.min(task.sourceGpus().size(), task.destinationGpus().size());
            int most = gpus * QUANTA_PER_CIRCUIT;
            Map<Integer, Integer> mine = new TreeMap<>();
            Terms carried = new Terms();
            for (int t = from; t < slices; t++) {
                int active = program.binary(Double.NaN);
                int quanta = program.variable(0, most, true, Double.NaN);
                mine.put(t, quanta);
                carried.plus(1, quanta);
                program.atMost(0, new Terms().plus(1, quanta).plus(-most, active));
                program.atMost(slices, new Terms().plus(1, firstSlice[m]).plus(slices - t, active));
                program.atLeast(t - slices, new Terms().plus(1, lastSlice[m]).plus(-slices, active));
            }
            program.atLeast(Math.ceil(task.bytes() / quantum - 1e-9), carried);
            rate.add(mine);
        }
    }

    /** Eqs. 22 and 23. */
    private void capacities() {
        Map<PodPair, Integer> groupOf = new HashMap<>();
        for (int g = 0; g < instance.groups().size(); g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                groupOf.put(pair.sorted(), g);
            }
        }
        Map<String, List<CommunicationTask>> shared = new TreeMap<>();
        Map<String, Integer> link = new HashMap<>();
        for (CommunicationTask task : instance.tasks()) {
            PodPair pair = new PodPair(task.source(), task.destination());
            link.put("link " + pair, groupOf.getOrDefault(pair.sorted(), -1));
            shared.computeIfAbsent("link " + pair, _ -> new ArrayList<>()).add(task);
            shared.computeIfAbsent("out " + task.sourceGpus(), _ -> new ArrayList<>())
                    .add(task);
            shared.computeIfAbsent("in " + task.destinationGpus(), _ -> new ArrayList<>())
                    .add(task);
        }
        shared.forEach((name, tasks) -> {
            for (int t = 0; t < slices; t++) {
                Terms carried = new Terms();
                for (CommunicationTask task : tasks) {
                    Integer quanta = rate.get(task.id()).get(t);
                    if (quanta != null) {
                        carried.plus(1, quanta);
                    }
                }
                Integer group = link.get(name);
                if (carried.size() > 0 && group != null) {
                    program.atMost(0, carried.plus(-QUANTA_PER_CIRCUIT, circuits.get(group)));
                } else if (carried.size() > 1) {
                    int gpus = name.startsWith("out")
                            ? tasks.getFirst().sourceGpus().size()
                            : tasks.getFirst().destinationGpus().size();
                    program.atMost(gpus * QUANTA_PER_CIRCUIT, carried);
                }
            }
        });
    }

    /** Eq. 28. */
    private void dependencies() {
        for (Dependency dependency : instance.dependencies()) {
            double delay = Math.ceil(dependency.delaySeconds() / sliceSeconds - 1e-9);
            Terms terms = new Terms().plus(1, firstSlice[dependency.post()]);
            if (dependency.pre() == Dependency.START) {
                program.atLeast(delay, terms);
            } else {
                program.atLeast(delay + 1, terms.plus(-1, lastSlice[dependency.pre()]));
            }
        }
    }
}

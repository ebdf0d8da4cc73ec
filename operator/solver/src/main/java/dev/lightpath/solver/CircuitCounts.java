package dev.lightpath.solver;

import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.solver.MixedIntegerProgram.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Circuits per pair in a MILP: a count in binary digits for each group, within the ports (Eqs. 4 to 8). */
final class CircuitCounts {
    private final DeltaInstance instance;
    private final MixedIntegerProgram program;
    /** Variables of each group's digits, the lowest first. */
    private final List<int[]> bits = new ArrayList<>();

    /** Adds the counts and their limits to the program, hinting at a topology. */
    CircuitCounts(DeltaInstance instance, MixedIntegerProgram program, Topology hint) {
        this.instance = instance;
        this.program = program;
        declare(hint);
    }

    /** Circuit ends in counted pods (Eq. 4). */
    Terms countedEnds() {
        Map<Integer, Boolean> counted = new HashMap<>();
        instance.pods().forEach(pod -> counted.put(pod.id(), pod.counted()));
        Terms ports = new Terms();
        for (int g = 0; g < bits.size(); g++) {
            int ends = 0;
            for (PodPair pair : instance.groups().get(g).pairs()) {
                ends += Boolean.TRUE.equals(counted.get(pair.first())) ? 1 : 0;
                ends += Boolean.TRUE.equals(counted.get(pair.second())) ? 1 : 0;
            }
            add(ports, ends, g);
        }
        return ports;
    }

    /** The circuits of a solution. */
    Topology topology(MilpOutcome.Solved solved) {
        List<Integer> circuits = new ArrayList<>();
        for (int[] mine : bits) {
            int count = 0;
            for (int b = 0; b < mine.length; b++) {
                count += (int) Math.round(solved.values().get(mine[b])) << b;
            }
            circuits.add(count);
        }
        return new Topology(circuits);
    }

    /** Eqs. 5 to 7. */
    private void declare(Topology hint) {
        for (int g = 0; g < instance.groups().size(); g++) {
            CircuitGroup group = instance.groups().get(g);
            int width = 32 - Integer.numberOfLeadingZeros(group.maxCircuits());
            int[] mine = new int[width];
            for (int b = 0; b < width; b++) {
                mine[b] = program.binary((hint.circuits().get(g) >> b) & 1);
            }
            bits.add(mine);
            Terms count = new Terms();
            add(count, 1, g);
            program.constraint(1, group.maxCircuits(), count);
        }
        for (Pod pod : instance.pods()) {
            Terms ends = new Terms();
            for (int g = 0; g < bits.size(); g++) {
                int uses = 0;
                for (PodPair pair : instance.groups().get(g).pairs()) {
                    uses += pair.first() == pod.id() || pair.second() == pod.id() ? 1 : 0;
                }
                if (uses > 0) {
                    add(ends, uses, g);
                }
            }
            if (pod.counted() && ends.size() > 0) {
                program.atMost(pod.ports(), ends);
            }
        }
    }

    private void add(Terms terms, int factor, int group) {
        for (int b = 0; b < bits.get(group).length; b++) {
            terms.plus((double) factor * (1 << b), bits.get(group)[b]);
        }
    }

    /**
     * Products of a bit and the length of an interval (Eq. 8).
     *
     * @param length variable of each interval's length
     * @param horizon no length is above it
     * @return the variables by group, interval and bit
     */
    List<List<List<Integer>>> products(int[] length, double horizon) {
        List<List<List<Integer>>> products = new ArrayList<>();
        for (int[] mine : bits) {
            List<List<Integer>> byInterval = new ArrayList<>();
            for (int interval : length) {
                List<Integer> byBit = new ArrayList<>();
                for (int bit : mine) {
                    int p = program.variable(0, horizon, false, Double.NaN);
                    program.atMost(0, new Terms().plus(1, p).plus(-horizon, bit));
                    program.atMost(0, new Terms().plus(1, p).plus(-1, interval));
                    program.atLeast(
                            -horizon, new Terms().plus(1, p).plus(-1, interval).plus(-horizon, bit));
                    byBit.add(p);
                }
                byInterval.add(byBit);
            }
            products.add(byInterval);
        }
        return products;
    }
}

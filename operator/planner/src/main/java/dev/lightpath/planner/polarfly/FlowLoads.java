package dev.lightpath.planner.polarfly;

import java.util.Arrays;

/**
 * Link loads of traffic as a fluid.
 *
 * @param throughput share of the full injection at which the busiest link is just full, at most 1
 * @param maxLoad load of the busiest directed link at full injection, 1 = its capacity
 * @param averageLoad mean over directed links
 * @param medianLoad median over directed links
 * @param averageHops hops per unit of traffic
 */
public record FlowLoads(double throughput, double maxLoad, double averageLoad, double medianLoad, double averageHops) {

    static FlowLoads of(double[] loads, double injected) {
        double[] sorted = loads.clone();
        Arrays.sort(sorted);
        double total = Arrays.stream(sorted).sum();
        double most = sorted[sorted.length - 1];
        return new FlowLoads(
                Math.min(1, 1 / most), most, total / sorted.length, sorted[sorted.length / 2], total / injected);
    }
}

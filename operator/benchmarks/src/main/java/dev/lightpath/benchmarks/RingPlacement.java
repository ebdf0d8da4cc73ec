package dev.lightpath.benchmarks;

import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.rack.RackAlgorithm;
import dev.lightpath.planner.ring.rack.RackOrchestration;
import dev.lightpath.planner.ring.rack.RackOutcome;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole placement by racks: TP-32, 8-GPU nodes, 2 nodes per ToR, 512 per aggregation domain, K = 3, 5 % faults, 90 %
 * of the GPUs wanted.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RingPlacement {

    @Param({"131072", "1048576"})
    private int gpus = 131_072;

    private RingFabric fabric = RingFabric.of(RingShape.LINE, 8, 3, 8);
    private RingHealth health = RingHealth.ALL_WELL;
    private RingDemand demand = new RingDemand(32, 1);

    /** As JMH makes it. */
    static RingPlacement of(int gpus) {
        RingPlacement placement = new RingPlacement();
        placement.gpus = gpus;
        placement.draw();
        return placement;
    }

    /** Draws the faults. */
    @Setup
    public void draw() {
        fabric = new RingFabric(RingShape.LINE, gpus / 8, 3, 8, 2, 512);
        health = RingHealth.faulty(FaultDraw.positions(fabric, 0.05, 1));
        demand = new RingDemand(32, (int) Math.ceil(0.9 * gpus / 32));
    }

    /** Algorithm 5. */
    @Benchmark
    public RackOutcome algorithmFive() {
        return RackOrchestration.place(fabric, health, demand, Set.of(), RackAlgorithm.PAPER);
    }

    /** Dynamic programme and pairing. */
    @Benchmark
    public RackOutcome exact() {
        return RackOrchestration.place(fabric, health, demand, Set.of(), RackAlgorithm.EXACT);
    }
}

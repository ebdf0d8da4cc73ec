package dev.lightpath.benchmarks;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
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

/** Simulations per second of one iteration of a 784-task workload. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx512m", "-XX:+UseSerialGC"})
@SuppressWarnings("NullAway.Init") // JMH calls the setup first
public class DeltaSimulation {
    @Param({"MEGATRON_462B", "DEEPSEEK_671B"})
    private Preset preset;

    @Param({"FAIR", "JOINT"})
    private Rates rates;

    private Simulator simulator;
    private Topology topology;

    /** The topology is the exact joint search's. */
    @Setup
    public void prepare() {
        DeltaInstance instance = InstanceGenerator.generate(preset.workload());
        simulator = new Simulator(instance);
        topology = new DeltaPlanner()
                .solve(instance, Goal.shortest(Algorithm.JOINT), SearchLimits.standard())
                .topology();
    }

    /** One iteration. */
    @Benchmark
    public double simulate() {
        return simulator.makespanSeconds(topology, rates);
    }
}

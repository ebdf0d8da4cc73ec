package dev.lightpath.benchmarks;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.Optional;
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

/** One pass of the engine over a {@link PlannedRing} of 4-GPU nodes, always after the same pass at rest. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EnginePass {
    @Param({"1000", "10000"})
    private int nodes = 1000;

    @Param({"1", "2"})
    private int nodesPerTor = 1;

    private Optional<World> atRest = Optional.empty();
    private Optional<World> withFault = Optional.empty();

    /** Places all jobs and lights them. */
    @Setup
    public void settle() {
        PlannedRing ring = new PlannedRing(nodes, 4, nodesPerTor);
        ring.later(Duration.ofMillis(1));
        atRest = Optional.of(ring.next());
        ring.fail(ring.member(ring.jobs() / 2));
        withFault = Optional.of(ring.next());
    }

    /** Nothing to do. */
    @Benchmark
    public Deliberation rest() {
        return FabricEngine.deliberate(atRest.orElseThrow());
    }

    /** A node of a group just failed: judged, repaired, ready to be recorded. */
    @Benchmark
    public Deliberation oneFault() {
        return FabricEngine.deliberate(withFault.orElseThrow());
    }
}

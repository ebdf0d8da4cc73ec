package dev.lightpath.benchmarks;

import dev.lightpath.planner.engine.decision.Deliberation;
import java.util.ArrayList;
import java.util.List;
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
 * All passes of the repair of a job's port on the fabric of {@link SpinePass}, its questions answered before: what the
 * loop does while every other job waits for its care. One job of four stages has as many micro-batches as the parameter
 * says.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 10)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
public class LongIteration {
    private static final int FAULTS = 6;

    @Param({"16", "3000"})
    public int microBatches;

    private final List<SpinePass> hurt = new ArrayList<>();
    private int fault;

    /** Everything lit, and ports of the long job failed, one in each scene. */
    @Setup
    public void settle() {
        SpinePass spine = SpinePass.of(microBatches);
        spine.ports(SpinePass.LONG).stream()
                .limit(FAULTS)
                .forEach(port ->
                        hurt.add(spine.hurt(port.getKey(), port.getValue()).answered()));
    }

    /** Until every record and every circuit is right again. */
    @Benchmark
    public Deliberation passes() {
        return hurt.get(fault++ % hurt.size()).repaired();
    }
}

package dev.lightpath.benchmarks;

import dev.lightpath.planner.polarfly.EulerPlanes;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.SwitchPlanes;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusChoice;
import dev.lightpath.planner.torus.TorusObjective;
import dev.lightpath.planner.torus.TorusPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Twisted tori and PolarFly, from nothing to a result. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class TopologyPlanning {

    /** Goal: below 2 s. */
    @Benchmark
    public boolean polarFly127WithProofOfDiameterTwo() {
        return new PolarFly(127).hasDiameterTwo();
    }

    @Benchmark
    public List<List<int[]>> planesOfPolarFly31() {
        return SwitchPlanes.full(new PolarFly(31), DeviceKind.TWO_SIDED);
    }

    /** Koenig's colouring, which carries any graph. */
    @Benchmark
    public List<List<int[]>> eulerPlanesOfPolarFly31() {
        PolarFly polarFly = new PolarFly(31);
        List<int[]> edges = new ArrayList<>();
        for (int v = 0; v < polarFly.vertices(); v++) {
            for (int p = polarFly.graph().port(v);
                    p < polarFly.graph().port(v) + polarFly.graph().degree(v);
                    p++) {
                if (v < polarFly.graph().target(p)) {
                    edges.add(new int[] {v, polarFly.graph().target(p)});
                }
            }
        }
        return EulerPlanes.of(polarFly.vertices(), edges);
    }

    /** Within a pass of the planning loop. Goal: below 100 ms. */
    @Benchmark
    public TorusPattern bestTwistOf8x8x16() {
        return TorusChoice.best(new Shape(8, 8, 16));
    }

    /** Goal: below 0.2 s. */
    @Benchmark
    public List<TorusPattern> patternsOf4x4x8() {
        return TorusChoice.halfPatterns(new Shape(4, 4, 8), TorusObjective.MAX_LINK_LOAD);
    }

    /** Goal: below 20 s. */
    @Benchmark
    public List<TorusPattern> patternsOf16x16x16() {
        return TorusChoice.halfPatterns(new Shape(16, 16, 16), TorusObjective.MAX_LINK_LOAD);
    }
}

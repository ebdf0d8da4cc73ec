package dev.lightpath.benchmarks;

import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.LogicalTopology;
import dev.lightpath.planner.stripe.SearchBudget;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.StripingOutcome;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
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

/** Striping a topology of which a share changed since the light was lit. Goal: 64 pods on 16 switches below 1 s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the setup first
public class Rewiring {

    /** Pods, switches, ports per pod and switch, circuits, circuits changed. */
    @Param({"16,16,1,228,23", "16,8,2,228,23", "32,16,2,941,94", "64,16,4,3824,191"})
    private String instance = "";

    private StripingRequest before;
    private StripingRequest after;

    @Setup
    public void draw() {
        int[] sizes = List.of(instance.split(",")).stream()
                .mapToInt(Integer::parseInt)
                .toArray();
        SplittableRandom random = new SplittableRandom(1);
        int degree = sizes[1] * sizes[2];
        int[][] counts = new int[sizes[0]][sizes[0]];
        int[][] sums = new int[2][sizes[0]];
        add(counts, sums, degree, sizes[3], random);
        before = request(sizes, counts, List.of());
        List<SwitchCircuits> lit = stripe(before).switches();
        for (int gone = 0; gone < sizes[4]; ) {
            int i = random.nextInt(sizes[0]);
            int j = random.nextInt(sizes[0]);
            if (counts[i][j] > 0) {
                counts[i][j]--;
                sums[0][i]--;
                sums[1][j]--;
                gone++;
            }
        }
        add(counts, sums, degree, sizes[4], random);
        after = request(sizes, counts, lit);
    }

    @Benchmark
    public int fromScratch() {
        return stripe(before).moved();
    }

    @Benchmark
    public int withLittleLightMoved() {
        return stripe(after).moved();
    }

    private static void add(int[][] counts, int[][] sums, int degree, int circuits, SplittableRandom random) {
        int added = 0;
        for (int tries = 0; added < circuits && tries < 500 * circuits; tries++) {
            int i = random.nextInt(counts.length);
            int j = random.nextInt(counts.length);
            if (i != j && sums[0][i] < degree && sums[1][j] < degree) {
                counts[i][j]++;
                sums[0][i]++;
                sums[1][j]++;
                added++;
            }
        }
    }

    private static StripingRequest request(int[] sizes, int[][] counts, List<SwitchCircuits> lit) {
        return new StripingRequest(
                sizes[1], sizes[2], DeviceKind.TWO_SIDED, LogicalTopology.of(counts), lit, new TreeSet<>());
    }

    private static StripingOutcome.Striped stripe(StripingRequest request) {
        return switch (Striper.stripe(request, SearchBudget.fitting(request))) {
            case StripingOutcome.Striped striped -> striped;
            case StripingOutcome.Infeasible none -> throw new IllegalStateException(none.reason());
        };
    }
}

package dev.lightpath.benchmarks;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
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

/** Time of a whole answer, checked by the verifier; a joint answer without a proof fails the benchmark. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx512m", "-XX:+UseSerialGC"})
@SuppressWarnings("NullAway.Init") // JMH calls the setup first
public class DeltaSolve {
    @Param({
        "megatron-177b 200",
        "megatron-177b 400",
        "megatron-177b 800",
        "megatron-177b 1600",
        "mixtral-8x22b 200",
        "mixtral-8x22b 400",
        "mixtral-8x22b 800",
        "mixtral-8x22b 1600",
        "megatron-462b 200",
        "megatron-462b 400",
        "megatron-462b 800",
        "megatron-462b 1600",
        "deepseek-671b 200",
        "deepseek-671b 400",
        "deepseek-671b 800",
        "deepseek-671b 1600",
        "megatron-462b 400 512",
        "deepseek-671b 400 512",
        "8pods",
        "16pods"
    })
    private String cell;

    private final DeltaPlanner planner = new DeltaPlanner();
    private DeltaInstance instance;

    /** Generates the instance, which is not part of the time. */
    @Setup
    public void prepare() {
        String[] words = cell.split(" ", -1);
        instance = InstanceGenerator.generate(
                switch (words[0]) {
                    case "8pods" -> wide(2);
                    case "16pods" -> wide(1);
                    default -> preset(words);
                });
    }

    private static TrainingWorkload preset(String[] words) {
        Preset preset = Preset.named(words[0]);
        int microBatches = words.length > 2 ? Integer.parseInt(words[2]) : preset.microBatches();
        return preset.workload(Double.parseDouble(words[1]), microBatches, 4096, false);
    }

    private static TrainingWorkload wide(int stagesPerPod) {
        return new TrainingWorkload(
                "wide",
                Preset.MEGATRON_462B.model(),
                new Parallelism(8, 16, 1, 1, 1, 8),
                new Batch(128, 1, 4096, true),
                new Placement(stagesPerPod, 16, 400, false));
    }

    /** Exact joint search with its proof. */
    @Benchmark
    public DeltaSolution joint() {
        return proved(Goal.shortest(Algorithm.JOINT));
    }

    /** The same, then the fewest ports with their proof. */
    @Benchmark
    public DeltaSolution ports() {
        return proved(Goal.fewestPorts(Algorithm.JOINT, 1e-9));
    }

    /** DELTA-Fast. */
    @Benchmark
    public DeltaSolution fast() {
        return planner.solve(
                instance, Goal.shortest(Algorithm.FAST), SearchLimits.standard().withThreads(2));
    }

    private DeltaSolution proved(Goal goal) {
        DeltaSolution solution = planner.solve(instance, goal, SearchLimits.standard());
        if (!solution.proved()) {
            throw new IllegalStateException(cell + ": gap " + solution.gap() + ", ports " + solution.ports()
                    + ", at least " + solution.portBound());
        }
        return solution;
    }
}

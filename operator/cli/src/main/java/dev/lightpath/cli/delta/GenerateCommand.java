package dev.lightpath.cli.delta;

import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.Json;
import dev.lightpath.planner.delta.DeltaInstance;
import dev.lightpath.planner.delta.InstanceGenerator;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.delta.TrainingWorkload;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lightpath delta generate}. */
@Command(
        name = "generate",
        description = "Writes the instance (delta-instance/1) of a preset, or of a TrainingJob on an OpticalFabric.",
        mixinStandardHelpOptions = true)
final class GenerateCommand implements Callable<Integer> {
    @Option(names = "--preset", description = "gpt-7b megatron-177b mixtral-8x22b megatron-462b deepseek-671b")
    private @Nullable String preset;

    @Option(names = "--gbps", description = "speed of a circuit, 10^9 bits per second (default 400)")
    private @Nullable Double gbps;

    @Option(names = "--micro-batches", description = "per replica and iteration (default 8 per stage)")
    private @Nullable Integer microBatches;

    @Option(names = "--sequence-length", description = "tokens (default 4096)")
    private @Nullable Integer sequenceLength;

    @Option(names = "--reversed", description = "last stages in pod 0: the transposed twin")
    private boolean reversed;

    @Option(names = "--job", paramLabel = "F", description = "manifest of a TrainingJob with scaleOut")
    private @Nullable Path job;

    @Option(names = "--fabric", paramLabel = "F", description = "manifest of the OpticalFabric that scaleOut names")
    private @Nullable Path fabric;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "json",
            description = "json; an instance has no other form")
    private String output = "json";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it before the command runs
    private CommandSpec command;

    @Override
    public Integer call() {
        if (!output.equals("json") && !output.equals("table")) {
            throw new BadInput("--output " + output + ": allowed: json");
        }
        DeltaInstance instance;
        try {
            instance = InstanceGenerator.generate(workload());
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = command.commandLine().getOut();
        out.println(Json.write(InstanceFile.document(instance)));
        out.flush();
        return 0;
    }

    private TrainingWorkload workload() {
        if (preset != null && job == null && fabric == null) {
            Preset named = Preset.named(preset);
            return named.workload(
                    gbps == null ? 400 : gbps,
                    microBatches == null ? named.microBatches() : microBatches,
                    sequenceLength == null ? 4096 : sequenceLength,
                    reversed);
        }
        if (preset == null && job != null && fabric != null) {
            if (gbps != null || microBatches != null || sequenceLength != null || reversed) {
                throw new BadInput(
                        "--gbps --micro-batches --sequence-length --reversed: allowed with --preset only; the manifests say it all");
            }
            return Manifests.workload(job, fabric);
        }
        throw new BadInput("allowed: either --preset, or both --job and --fabric");
    }
}

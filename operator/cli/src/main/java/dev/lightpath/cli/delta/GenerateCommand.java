package dev.lightpath.cli.delta;

import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lightpath delta generate}. */
@Command(
        name = "generate",
        description =
                "Writes the instance (delta-instance/1) of a preset, of a TrainingJob on an OpticalFabric, or of a recorded"
                        + " workload.",
        mixinStandardHelpOptions = true)
final class GenerateCommand implements Callable<Integer> {
    private static final Map<String, String> OPTIONS = Map.of(
            "preset", "--preset",
            "circuitGbps", "--gbps",
            "circuitBytesPerSecond", "--gbps",
            "microBatches", "--micro-batches",
            "sequenceLength", "--sequence-length");

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

    @Option(names = "--aicb", paramLabel = "F", description = "SimAI workload file, as AICB writes it")
    private @Nullable Path aicb;

    @Option(
            names = "--chakra",
            paramLabel = "DIR",
            description =
                    "MLCommons Chakra execution traces, PREFIX.RANK.et, and comm_group.json where there are groups")
    private @Nullable Path chakra;

    @Mixin
    private final PodOptions pods = new PodOptions();

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
        DeltaInstance instance = instance();
        PrintWriter out = command.commandLine().getOut();
        out.println(Json.write(InstanceFile.document(instance)));
        out.flush();
        return 0;
    }

    private DeltaInstance instance() {
        long sources =
                Stream.of(preset, job, aicb, chakra).filter(Objects::nonNull).count();
        if (sources != 1) {
            throw new BadInput("allowed: exactly one of --preset, --job (with --fabric), --aicb and --chakra");
        }
        if (preset == null && (microBatches != null || sequenceLength != null || reversed)) {
            throw new BadInput("--micro-batches --sequence-length --reversed: allowed with --preset only");
        }
        if (preset != null) {
            pods.requireUnused("--preset");
            return ofPreset(preset);
        }
        if (job != null) {
            pods.requireUnusedBeside("--job");
            if (gbps != null) {
                throw new BadInput("--gbps: allowed without --job only; the manifests say it all");
            }
            return Manifests.instance(job, pods.requireFabric("--job"));
        }
        return aicb != null ? Traces.aicb(aicb, pods, gbps) : Traces.chakra(Objects.requireNonNull(chakra), pods, gbps);
    }

    private DeltaInstance ofPreset(String name) {
        try {
            Preset named = Preset.named(name);
            return InstanceGenerator.generate(named.workload(
                    gbps == null ? 400 : gbps,
                    microBatches == null ? named.microBatches() : microBatches,
                    sequenceLength == null ? 4096 : sequenceLength,
                    reversed));
        } catch (IllegalArgumentException e) {
            throw new BadInput(asOption(String.valueOf(e.getMessage())), e);
        }
    }

    /** Turns the model's message about a field into one about the option that set it. */
    private static String asOption(String message) {
        return OPTIONS.entrySet().stream()
                .filter(option -> message.startsWith(option.getKey() + ":"))
                .findFirst()
                .map(option ->
                        option.getValue() + message.substring(option.getKey().length()))
                .orElse("--gbps --micro-batches --sequence-length: " + message);
    }
}

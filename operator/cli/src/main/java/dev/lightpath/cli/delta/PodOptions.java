package dev.lightpath.cli.delta;

import dev.lightpath.console.text.BadInput;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a recorded workload runs: the pods of a fabric's manifest, or pods described by options. */
final class PodOptions {
    private static final int DEFAULT_GBPS = 400;

    @Option(
            names = "--fabric",
            paramLabel = "F",
            description = "manifest of the OpticalFabric, with --job that of scaleOut")
    private @Nullable Path fabric;

    @Option(
            names = "--gpus-per-pod",
            description =
                    "without --fabric: GPUs of a pod that the job (AICB: one replica) uses (default AICB: one stage,"
                            + " Chakra: 8)")
    private @Nullable Integer gpusPerPod;

    @Option(names = "--ports", description = "without --fabric: optical ports of a pod (default one for each GPU)")
    private @Nullable Integer ports;

    @Option(names = "--pods", description = "without --fabric: pods that there are (default as many as needed)")
    private @Nullable Integer pods;

    @Option(names = "--gpus", description = "AICB: GPUs of the whole job, where the file does not say all_gpus")
    private @Nullable Integer gpus;

    @Option(names = "--intra-pod-gbps", description = "speed of a GPU inside its pod (default 400)")
    private @Nullable Double intraPodGbps;

    /** Equal pods; where a fabric's differ, the smallest. */
    record Pods(int count, int gpus, int ports, double gbps) {}

    double intraPodGbps() {
        return intraPodGbps == null ? DEFAULT_GBPS : intraPodGbps;
    }

    OptionalInt gpus() {
        if (gpus != null && gpus < 1) {
            throw new BadInput("--gpus " + gpus + ": allowed: 1 or more");
        }
        return gpus == null ? OptionalInt.empty() : OptionalInt.of(gpus);
    }

    Path requireFabric(String source) {
        if (fabric == null) {
            throw new BadInput(source + ": allowed with --fabric only");
        }
        return fabric;
    }

    void requireUnused(String source) {
        requireUnusedBeside(source);
        if (fabric != null) {
            throw new BadInput("--fabric: allowed without " + source + " only");
        }
    }

    void requireUnusedBeside(String source) {
        if (gpusPerPod != null || ports != null || pods != null || gpus != null || intraPodGbps != null) {
            throw new BadInput(
                    "--gpus-per-pod --ports --pods --gpus --intra-pod-gbps: allowed without " + source + " only");
        }
    }

    /**
     * @param gbps of a circuit, null for the fabric's or 400
     * @param usualGpus of a pod by default; it then has as many ports
     */
    Pods pods(@Nullable Double gbps, int usualGpus) {
        if (fabric != null) {
            if (gpusPerPod != null || ports != null || pods != null || gbps != null) {
                throw new BadInput(
                        "--gpus-per-pod --ports --pods --gbps: allowed without --fabric only; it says it all");
            }
            return Manifests.pods(fabric);
        }
        int each = gpusPerPod == null ? usualGpus : gpusPerPod;
        return new Pods(
                least("--pods", pods == null ? Integer.MAX_VALUE : pods),
                least("--gpus-per-pod", each),
                least("--ports", ports == null ? each : ports),
                gbps == null ? DEFAULT_GBPS : gbps);
    }

    private static int least(String option, int value) {
        if (value < 1) {
            throw new BadInput(option + " " + value + ": allowed: 1 or more");
        }
        return value;
    }
}

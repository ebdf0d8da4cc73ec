package dev.lightpath.reading.traffic;

import dev.lightpath.planner.delta.iteration.CollectiveKind;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A SimAI workload file as AICB writes it: what one GPU of each pipeline stage computes and sends in an iteration,
 * layer by layer and micro-batch by micro-batch. Times are nanoseconds, sizes bytes of one rank's whole buffer.
 *
 * @param name for people
 * @param tensor {@code model_parallel_NPU_group}
 * @param expert {@code ep}, 1 for a dense model
 * @param stages {@code pp}
 * @param microBatches {@code ga}
 * @param gpus {@code all_gpus}, where the file says it
 * @param pipelineBytes {@code pp_comm}: what a GPU sends to the next stage, per micro-batch and direction
 * @param layers the lines
 */
public record AicbWorkload(
        String name,
        int tensor,
        int expert,
        int stages,
        int microBatches,
        OptionalInt gpus,
        double pipelineBytes,
        List<AicbLayer> layers) {
    private static final Set<String> POLICIES = Set.of("HYBRID_TRANSFORMER_FWD_IN_BCKWD", "HYBRID_TRANSFORMER");
    private static final double NANOS = 1e-9;

    public AicbWorkload {
        layers = List.copyOf(layers);
    }

    /**
     * Reads a file. O(lines).
     *
     * @param file for messages and as name
     * @throws IllegalArgumentException with file, line, what is wrong and what is allowed
     */
    public static AicbWorkload parse(String file, List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException(file + ": is empty, allowed: a SimAI workload");
        }
        String[] words = lines.getFirst().strip().split("\\s+");
        if (!POLICIES.contains(words[0])) {
            throw wrong(
                    file,
                    1,
                    "parallelism '" + words[0] + "', allowed: HYBRID_TRANSFORMER_FWD_IN_BCKWD or HYBRID_TRANSFORMER");
        }
        Map<String, String> header = new HashMap<>();
        for (int i = 1; i + 1 < words.length; i++) {
            header.putIfAbsent(words[i].replaceFirst(":$", ""), words[i + 1]);
        }
        if (whole(file, header, "checkpoints", 0, 0) > 0) {
            throw wrong(
                    file, 1, "checkpoints: " + header.get("checkpoints") + ", allowed: 0; recomputation is not read");
        }
        int expert = whole(file, header, "expert_parallel_npu_group", 1, 1);
        int gpus = whole(file, header, "all_gpus", 0, 1);
        int stages = whole(file, header, "pp", 1, 1);
        String message = header.getOrDefault("pp_comm", "0");
        double pipelineBytes = AicbLayer.amount(message, file + ":1: pp_comm");
        if (stages > 1 && pipelineBytes == 0) {
            throw wrong(file, 1, "pp: " + stages + " without pp_comm, allowed: pp_comm: bytes that a GPU sends on");
        }
        if (!header.containsKey("model_parallel_NPU_group")) {
            throw wrong(file, 1, "model_parallel_NPU_group: missing, it is required");
        }
        return new AicbWorkload(
                file.replaceFirst(".*/", "").replaceFirst("\\.txt$", ""),
                whole(file, header, "model_parallel_NPU_group", 1, 1),
                whole(file, header, "ep", expert, 1),
                stages,
                whole(file, header, "ga", 1, 1),
                gpus == 0 ? OptionalInt.empty() : OptionalInt.of(gpus),
                pipelineBytes,
                layers(file, lines));
    }

    private static List<AicbLayer> layers(String file, List<String> lines) {
        int announced = -1;
        List<AicbLayer> layers = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            if (announced >= 0) {
                layers.add(AicbLayer.parse(file + ":" + (i + 1), line));
                continue;
            }
            try {
                announced = Integer.parseInt(line);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        file + ":" + (i + 1) + ": '" + line + "', allowed: the number of layers", e);
            }
        }
        if (announced != layers.size() || layers.isEmpty()) {
            throw wrong(
                    file,
                    2,
                    Math.max(announced, 0) + " layers announced, " + layers.size()
                            + " follow, allowed: as many, at least" + " one");
        }
        return layers;
    }

    private static int whole(String file, Map<String, String> header, String key, int otherwise, int least) {
        String text = header.get(key);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, as a number that is too small
        }
        throw wrong(file, 1, key + ": '" + text + "', allowed: a whole number of at least " + least);
    }

    private static IllegalArgumentException wrong(String file, int line, String problem) {
        return new IllegalArgumentException(file + ":" + line + ": " + problem);
    }

    /** GPUs of a stage of one replica: tensor * expert, since expert groups stay in their pod. O(1). */
    public int gpusPerStage() {
        return Math.multiplyExact(tensor, expert);
    }

    /**
     * The iteration as DELTA reads it. Collectives of tensor and expert groups stay in the pod and count as time of
     * their layer. Those of data-parallel groups become one exchange a stage after its last backward, by rings around
     * the replicas. Lines that an iteration has once (gradient, norm, loss and optimizer) count only with their
     * data-parallel traffic. O(layers).
     *
     * @param allGpus if the file does not say it, or to override the file
     * @param intraPodGbps speed of a GPU inside its pod, 10^9 bits per second
     * @throws IllegalArgumentException naming what is missing or does not divide, and what is allowed
     */
    public IterationProfile profile(OptionalInt allGpus, Placement placement, double intraPodGbps) {
        int all = allGpus.orElse(gpus.orElse(0));
        if (all == 0) {
            throw new IllegalArgumentException(
                    "all_gpus: missing, allowed: a number in line 1, or given beside the file");
        }
        int replica = Math.multiplyExact(stages, gpusPerStage());
        if (all % replica != 0) {
            throw new IllegalArgumentException("all_gpus: " + all + ", allowed: a multiple of " + replica
                    + ", the GPUs of one replica (model_parallel_NPU_group * ep * pp)");
        }
        int replicas = all / replica;
        double bytesPerSecond = intraPodGbps * 1e9 / 8;
        double forward = 0;
        double backward = 0;
        double data = 0;
        int body = 0;
        for (AicbLayer layer : layers) {
            data += dataBytes(layer.weightCommunication(), replicas);
            if (layer.once()) {
                data += dataBytes(layer.parameterGather(), replicas);
                continue;
            }
            body++;
            forward += layer.forwardNanos() * NANOS + inside(layer.forwardCommunication(), replicas) / bytesPerSecond;
            backward += (layer.inputNanos() + layer.weightNanos()) * NANOS
                    + (inside(layer.inputCommunication(), replicas)
                                    + (layer.weightCommunication().group() == AicbLayer.Group.EXPERT
                                            ? inside(layer.weightCommunication(), replicas)
                                            : 0))
                            / bytesPerSecond;
        }
        if (body % microBatches != 0) {
            throw new IllegalArgumentException("ga: " + microBatches + ", allowed: a divisor of the " + body
                    + " lines of layers, which come once for each micro-batch");
        }
        return new IterationProfile(
                name,
                stages,
                gpusPerStage(),
                replicas,
                microBatches,
                forward / microBatches,
                backward / microBatches,
                pipelineBytes * gpusPerStage(),
                data,
                placement);
    }

    private int size(AicbLayer.Group group, int replicas) {
        return switch (group) {
            case TENSOR -> tensor;
            case EXPERT -> expert;
            case DATA -> expert * replicas;
            case EXPERT_DATA -> replicas;
        };
    }

    /** Bytes that a GPU sends to its neighbour in the pod. */
    private double inside(AicbLayer.Communication of, int replicas) {
        boolean stays = of.group() == AicbLayer.Group.TENSOR || of.group() == AicbLayer.Group.EXPERT;
        return stays ? hop(of, size(of.group(), replicas)) : 0;
    }

    /** Bytes that leave the pod of a stage, over all groups of this kind that the stage has. */
    private double dataBytes(AicbLayer.Communication of, int replicas) {
        return switch (of.group()) {
            case TENSOR, EXPERT -> 0;
            case DATA -> tensor * hop(of, replicas);
            case EXPERT_DATA -> gpusPerStage() * hop(of, replicas);
        };
    }

    /** SimAI gives the size of the whole buffer also where each rank puts in its share. */
    private static double hop(AicbLayer.Communication of, int members) {
        CollectiveKind kind = of.kind();
        return of.bytes() == 0 || kind == null
                ? 0
                : kind == CollectiveKind.ALL_GATHER
                        ? kind.bytesPerHop(members, 1, of.bytes())
                        : kind.bytesPerHop(members, members, of.bytes());
    }
}

package dev.lightpath.reading.traffic;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.delta.iteration.ExecutionTrace;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.RankPlacement;
import dev.lightpath.planner.delta.iteration.TraceEffort;
import dev.lightpath.planner.delta.iteration.TraceInstance;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.reading.StrictJson;
import dev.lightpath.reading.TrafficReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Recorded traffic of a job, from the content of its ConfigMap to what its slice keeps of it.
 *
 * @param parallelism of the job
 * @param stagesPerPod consecutive stages in one pod
 * @param ports of the pod that has most
 * @param circuitGbps speed of a circuit, 10^9 bits per second
 */
public record TrafficSourceReader(Parallelism parallelism, int stagesPerPod, int ports, double circuitGbps) {
    private static final double INTRA_POD_GBPS = 400;
    private static final String GROUPS = "comm_group.json";

    /** Of the size of a ConfigMap; of ranks as many as all groups of a trace may have. */
    private static final StrictJson GROUPS_JSON =
            new StrictJson(1 << 20, 2, TraceLimits.CONFIG_MAP.dependencies(), 1 << 10);

    /**
     * For a job on the pods of a fabric.
     *
     * @throws IllegalArgumentException naming a degree of its parallelism and what is allowed
     */
    public static TrafficSourceReader of(TrainingJobSpec job, Ocs ocs) {
        Parallelism parallelism = TrafficReader.parallelism(job.parallelism());
        int smallest = ocs.pods().stream().mapToInt(FabricPod::gpus).min().orElse(0);
        int most = Math.max(1, Math.min(smallest / parallelism.gpusPerStage(), parallelism.pipeline()));
        ScaleOut scaleOut = job.scaleOut();
        Integer asked = scaleOut == null ? null : scaleOut.stagesPerPod();
        return new TrafficSourceReader(
                parallelism,
                asked == null ? most : Math.min(asked, parallelism.pipeline()),
                Math.max(1, ocs.pods().stream().mapToInt(FabricPod::ports).max().orElse(1)),
                ocs.circuitGbps());
    }

    /**
     * The same from the object that holds the content.
     *
     * @param map null when there is none
     * @throws IllegalArgumentException naming the ConfigMap, key, line or record, what is wrong and what is allowed
     */
    public RecordedTraffic read(TrafficSource source, String namespace, @Nullable ConfigMap map) {
        String where = "spec.scaleOut.traffic: ConfigMap " + source.configMap() + ": ";
        if (map == null) {
            throw new IllegalArgumentException(
                    where + "there is none in namespace " + namespace + "; create it, and the job goes on");
        }
        try {
            return read(source, content(map));
        } catch (IllegalArgumentException | ArithmeticException e) {
            // names in it are the user's, and may hold anything
            throw new IllegalArgumentException(
                    where + String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", "?"), e);
        }
    }

    private static SortedMap<String, byte[]> content(ConfigMap map) {
        SortedMap<String, byte[]> content = new TreeMap<>();
        if (map.getData() != null) {
            map.getData().forEach((key, value) -> content.put(key, value.getBytes(StandardCharsets.UTF_8)));
        }
        if (map.getBinaryData() != null) {
            map.getBinaryData()
                    .forEach(
                            (key, value) -> content.put(key, Base64.getDecoder().decode(value)));
        }
        return content;
    }

    /**
     * O(content), and for traces the reduction of their graph.
     *
     * @param content by key
     * @throws IllegalArgumentException naming key, line or record, what is wrong and what is allowed
     */
    public RecordedTraffic read(TrafficSource source, SortedMap<String, byte[]> content) {
        return switch (source.format()) {
            case AICB -> aicb(source, content);
            case CHAKRA -> chakra(source, content);
        };
    }

    private RecordedTraffic aicb(TrafficSource source, SortedMap<String, byte[]> content) {
        if (content.size() != 1) {
            throw new IllegalArgumentException(
                    "has keys " + content.keySet() + ", allowed: one, whose value is a SimAI workload");
        }
        String file = content.firstKey();
        AicbWorkload workload = AicbWorkload.parse(
                file,
                text(file, content.getOrDefault(file, new byte[0])).lines().toList());
        requireSame(
                file,
                "model_parallel_NPU_group * ep",
                workload.gpusPerStage(),
                parallelism.gpusPerStage(),
                "GPUs of a stage");
        requireSame(file, "pp", workload.stages(), parallelism.pipeline(), "stages (parallelism.pipeline)");
        requireSame(file, "all_gpus", workload.gpus().orElse(parallelism.gpus()), parallelism.gpus(), "GPUs");
        Placement placement = new Placement(stagesPerPod, ports, circuitGbps, false);
        IterationProfile profile;
        try {
            profile = workload.profile(OptionalInt.of(parallelism.gpus()), placement, INTRA_POD_GBPS);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        return new RecordedTraffic(
                source.configMap(),
                source.format(),
                Double.toString(profile.forwardSeconds()),
                Double.toString(profile.backwardSeconds()),
                Double.toString(profile.pipelineBytes()),
                Double.toString(profile.dataBytes()),
                null,
                null,
                List.of(),
                null,
                profile.microBatches());
    }

    private static void requireSame(String file, String field, int found, int wanted, String what) {
        if (found != wanted) {
            throw new IllegalArgumentException(
                    file + ":1: " + field + ": " + found + ", allowed: " + wanted + ", the " + what + " of the job");
        }
    }

    private static String text(String file, byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": is no text, allowed: a SimAI workload", e);
        }
    }

    private RecordedTraffic chakra(TrafficSource source, SortedMap<String, byte[]> content) {
        if (parallelism.pipeline() % stagesPerPod != 0) {
            throw new IllegalArgumentException(
                    stagesPerPod + " stages in a pod, allowed: a divisor of the " + parallelism.pipeline()
                            + " stages of a replica (scaleOut.stagesPerPod), since ranks are put into pods one after"
                            + " the other");
        }
        SortedMap<String, byte[]> files = new TreeMap<>(content);
        byte[] groups = files.remove(GROUPS);
        ExecutionTrace trace =
                ChakraTrace.read(files, groups == null ? Map.of() : groups(groups), TraceLimits.CONFIG_MAP);
        if (trace.ranks().size() != parallelism.gpus()) {
            throw new IllegalArgumentException("traces of " + trace.ranks().size() + " ranks, allowed: "
                    + parallelism.gpus() + ", one for each GPU of the job (spec.parallelism)");
        }
        DeltaInstance instance = TraceInstance.of(
                trace,
                new RankPlacement(
                        stagesPerPod * parallelism.gpusPerStage(),
                        parallelism.pipeline() / stagesPerPod * parallelism.replicas(),
                        ports,
                        circuitGbps,
                        INTRA_POD_GBPS),
                TraceEffort.BOUNDED);
        TracedIteration traced = TracedIteration.of(instance);
        return new RecordedTraffic(
                source.configMap(),
                source.format(),
                null,
                null,
                null,
                null,
                traced.digest(),
                traced.pods(),
                traced.pairs().stream()
                        .map(pair -> pair.first() + "-" + pair.second())
                        .toList(),
                traced.packed(),
                null);
    }

    /** {@code {"0": [0, 1, 2, 3], ...}}: ranks by name of the process group. */
    private static SortedMap<String, List<Integer>> groups(byte[] content) {
        SortedMap<String, List<Integer>> groups;
        try {
            groups = GROUPS_JSON.read(new ByteArrayInputStream(content), new TypeReference<>() {});
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    GROUPS + ": " + e.getMessage()
                            + "; allowed: JSON with ranks by name of a group, {\"0\": [0, 1], ...}",
                    e);
        }
        groups.forEach((name, ranks) -> {
            if (ranks.isEmpty()) {
                throw new IllegalArgumentException(GROUPS + ": " + name + ": [], allowed: a list of ranks");
            }
        });
        return groups;
    }
}

package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.Json;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.iteration.ExecutionTrace;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.RankPlacement;
import dev.lightpath.planner.delta.iteration.TraceInstance;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.reading.traffic.AicbWorkload;
import dev.lightpath.reading.traffic.ChakraTrace;
import dev.lightpath.reading.traffic.TraceLimits;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Instances of recorded workloads. */
final class Traces {
    private static final int GPUS_OF_A_SERVER = 8;

    private Traces() {}

    /**
     * A SimAI workload on the pods of a fabric, stages filling each pod.
     *
     * @throws BadInput naming file, line and what is allowed
     */
    static DeltaInstance aicb(Path file, PodOptions options, @Nullable Double gbps) {
        AicbWorkload workload = told("", () -> AicbWorkload.parse(file.toString(), lines(file)));
        PodOptions.Pods pods = options.pods(gbps, workload.gpusPerStage());
        return told(file + ": ", () -> {
            int stagesPerPod = pods.gpus() / workload.gpusPerStage();
            if (stagesPerPod < 1) {
                throw new IllegalArgumentException("GPUs per pod: " + pods.gpus() + ", allowed: at least "
                        + workload.gpusPerStage() + ", the GPUs of one stage");
            }
            Placement placement = new Placement(stagesPerPod, pods.ports(), pods.gbps(), false);
            int needed = placement.pods(workload.stages());
            if (needed > pods.count()) {
                throw new IllegalArgumentException(
                        "pp: " + workload.stages() + " stages, " + stagesPerPod + " in a pod, need " + needed
                                + " pods, allowed: at most the " + pods.count() + " that there are");
            }
            IterationProfile profile = workload.profile(options.gpus(), placement, options.intraPodGbps());
            return InstanceGenerator.generate(profile);
        });
    }

    /**
     * Chakra traces of a folder, rank r in pod r / GPUs per pod.
     *
     * @throws BadInput naming file, record and what is allowed
     */
    static DeltaInstance chakra(Path folder, PodOptions options, @Nullable Double gbps) {
        if (options.gpus().isPresent()) {
            throw new BadInput("--gpus: allowed with --aicb only; a trace has a file for each rank");
        }
        PodOptions.Pods pods = options.pods(gbps, GPUS_OF_A_SERVER);
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (Path file : ranks(folder)) {
            files.put(file.getFileName().toString(), bytes(file));
        }
        Map<String, List<Integer>> groups = groups(folder.resolve("comm_group.json"));
        return told(folder + ": ", () -> {
            ExecutionTrace trace = ChakraTrace.read(files, groups, TraceLimits.NONE);
            return TraceInstance.of(
                    trace,
                    new RankPlacement(pods.gpus(), pods.count(), pods.ports(), pods.gbps(), options.intraPodGbps()));
        });
    }

    private static List<Path> ranks(Path folder) {
        List<Path> ranks = new ArrayList<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(folder, "*.{et,et.gz}")) {
            each.forEach(ranks::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw new BadInput(folder + ": there is no such folder", e);
        } catch (DirectoryIteratorException e) {
            // exceptions during the iteration are unchecked
            throw new BadInput(
                    folder + ": cannot be read: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
        } catch (IOException e) {
            throw new BadInput(folder + ": cannot be read: " + e.getMessage(), e);
        }
        return ranks;
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** {@code {"0": [0, 1, 2, 3], ...}}: ranks by name of the process group. */
    private static Map<String, List<Integer>> groups(Path file) {
        SortedMap<String, List<Integer>> groups = new TreeMap<>();
        if (!Files.exists(file)) {
            return groups;
        }
        for (Map.Entry<String, JsonNode> group : Json.read(file).properties()) {
            List<Integer> ranks = new ArrayList<>();
            for (JsonNode rank : group.getValue()) {
                if (!rank.canConvertToInt() || !rank.isIntegralNumber()) {
                    throw new BadInput(file + ": " + group.getKey() + "[" + ranks.size() + "]: " + Fields.shown(rank)
                            + ", allowed: the number of a rank");
                }
                ranks.add(rank.intValue());
            }
            if (ranks.isEmpty()) {
                throw new BadInput(file + ": " + group.getKey() + ": " + Fields.shown(group.getValue())
                        + ", allowed: a list of ranks");
            }
            groups.put(group.getKey(), ranks);
        }
        return groups;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (MalformedInputException e) {
            throw new BadInput(file + ": is no text, allowed: a SimAI workload", e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static <T> T told(String where, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new BadInput(where + e.getMessage(), e);
        }
    }
}

package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.Json;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The format {@code delta-instance/1}. */
public final class InstanceFile {
    static final String FORMAT = "delta-instance/1";

    private InstanceFile() {}

    /**
     * Reads an instance, strictly.
     *
     * @param file {@code -} for standard input
     * @throws dev.lightpath.cli.BadInput naming file, field and what is allowed
     */
    public static DeltaInstance read(Path file) {
        return parse(Json.read(file), file.toString());
    }

    /** The same from a parsed document; the name is for messages. */
    static DeltaInstance parse(JsonNode document, String file) {
        Fields root = Fields.of(
                document,
                file,
                "",
                Set.of("format", "name", "circuitBytesPerSecond", "pods", "tasks", "deps"),
                Set.of("groups"));
        if (!root.text("format").equals(FORMAT)) {
            throw root.wrong("format", "'" + root.text("format") + "', allowed: " + FORMAT);
        }
        List<Pod> pods = new ArrayList<>();
        for (JsonNode node : root.array("pods")) {
            Fields pod = Fields.of(node, file, "pods[" + pods.size() + "]", Set.of("id", "ports", "counted"), Set.of());
            pods.add(pod.build(() -> new Pod(pod.integer("id"), pod.integer("ports"), pod.flag("counted"))));
        }
        List<CommunicationTask> tasks = new ArrayList<>();
        for (JsonNode node : root.array("tasks")) {
            tasks.add(task(node, file, "tasks[" + tasks.size() + "]"));
        }
        List<Dependency> dependencies = new ArrayList<>();
        for (JsonNode node : root.array("deps")) {
            Fields dependency = Fields.of(
                    node, file, "deps[" + dependencies.size() + "]", Set.of("pre", "post", "delaySeconds"), Set.of());
            dependencies.add(dependency.build(() -> new Dependency(
                    dependency.integer("pre"), dependency.integer("post"), dependency.number("delaySeconds"))));
        }
        String name = root.text("name");
        double circuit = root.number("circuitBytesPerSecond");
        if (!document.has("groups")) {
            return root.build(() -> DeltaInstance.withGroupPerPair(name, circuit, pods, tasks, dependencies));
        }
        List<CircuitGroup> groups = new ArrayList<>();
        for (JsonNode node : root.array("groups")) {
            groups.add(group(node, file, "groups[" + groups.size() + "]"));
        }
        return root.build(() -> new DeltaInstance(name, circuit, pods, groups, tasks, dependencies));
    }

    private static CommunicationTask task(JsonNode node, String file, String path) {
        Fields task = Fields.of(
                node, file, path, Set.of("id", "name", "src", "dst", "flows", "bytes", "srcGpus", "dstGpus"), Set.of());
        return task.build(() -> new CommunicationTask(
                task.integer("id"),
                task.text("name"),
                task.integer("src"),
                task.integer("dst"),
                task.integer("flows"),
                task.number("bytes"),
                task.integers("srcGpus"),
                task.integers("dstGpus")));
    }

    private static CircuitGroup group(JsonNode node, String file, String path) {
        Fields group = Fields.of(node, file, path, Set.of("maxCircuits", "dp", "pairs"), Set.of());
        List<PodPair> pairs = new ArrayList<>();
        for (JsonNode element : group.array("pairs")) {
            String field = "pairs[" + pairs.size() + "]";
            boolean two = element.isArray()
                    && element.size() == 2
                    && element.get(0).canConvertToInt()
                    && element.get(1).canConvertToInt();
            if (!two) {
                throw group.wrong(field, element + ", allowed: two pod ids");
            }
            pairs.add(group.build(
                    () -> new PodPair(element.get(0).intValue(), element.get(1).intValue())));
        }
        return group.build(() -> new CircuitGroup(group.integer("maxCircuits"), group.flag("dp"), pairs));
    }

    /** The document of an instance; reading it back gives an equal instance. */
    static Map<String, Object> document(DeltaInstance instance) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("format", FORMAT);
        root.put("name", instance.name());
        root.put("circuitBytesPerSecond", number(instance.circuitBytesPerSecond()));
        root.put("pods", instance.pods());
        root.put(
                "groups",
                instance.groups().stream()
                        .map(group -> ordered(
                                "maxCircuits",
                                group.maxCircuits(),
                                "dp",
                                group.dp(),
                                "pairs",
                                group.pairs().stream()
                                        .map(pair -> List.of(pair.first(), pair.second()))
                                        .toList()))
                        .toList());
        root.put(
                "tasks",
                instance.tasks().stream()
                        .map(task -> ordered(
                                "id",
                                task.id(),
                                "name",
                                task.name(),
                                "src",
                                task.source(),
                                "dst",
                                task.destination(),
                                "flows",
                                task.flows(),
                                "bytes",
                                number(task.bytes()),
                                "srcGpus",
                                task.sourceGpus(),
                                "dstGpus",
                                task.destinationGpus()))
                        .toList());
        root.put("deps", instance.dependencies());
        return root;
    }

    private static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    /** Whole numbers without exponent or fraction. */
    private static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : (Object) value;
    }
}

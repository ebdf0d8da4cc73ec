package dev.lightpath.planner.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The instances under golden/delta. */
public final class Golden {
    private Golden() {}

    public static DeltaInstance instance(String name) {
        try (InputStream in = open(name + ".json")) {
            return parse(new ObjectMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InputStream open(String file) {
        return Objects.requireNonNull(Golden.class.getResourceAsStream("/golden/delta/" + file), file);
    }

    private static DeltaInstance parse(JsonNode root) {
        List<Pod> pods = new ArrayList<>();
        root.get("pods")
                .forEach(pod -> pods.add(new Pod(
                        pod.get("id").asInt(),
                        pod.get("ports").asInt(),
                        pod.get("counted").asBoolean())));
        List<CommunicationTask> tasks = new ArrayList<>();
        root.get("tasks")
                .forEach(task -> tasks.add(new CommunicationTask(
                        task.get("id").asInt(),
                        task.get("name").asText(),
                        task.get("src").asInt(),
                        task.get("dst").asInt(),
                        task.get("flows").asInt(),
                        task.get("bytes").asDouble(),
                        numbers(task.get("srcGpus")),
                        numbers(task.get("dstGpus")))));
        List<Dependency> dependencies = new ArrayList<>();
        root.get("deps")
                .forEach(dependency -> dependencies.add(new Dependency(
                        dependency.get("pre").asInt(),
                        dependency.get("post").asInt(),
                        dependency.get("delaySeconds").asDouble())));
        String name = root.get("name").asText();
        double circuit = root.get("circuitBytesPerSecond").asDouble();
        if (!root.has("groups")) {
            return DeltaInstance.withGroupPerPair(name, circuit, pods, tasks, dependencies);
        }
        List<CircuitGroup> groups = new ArrayList<>();
        root.get("groups").forEach(group -> {
            List<PodPair> pairs = new ArrayList<>();
            group.get("pairs")
                    .forEach(pair -> pairs.add(
                            new PodPair(pair.get(0).asInt(), pair.get(1).asInt())));
            groups.add(new CircuitGroup(
                    group.get("maxCircuits").asInt(), group.get("dp").asBoolean(), pairs));
        });
        return new DeltaInstance(name, circuit, pods, groups, tasks, dependencies);
    }

    private static List<Integer> numbers(JsonNode array) {
        List<Integer> numbers = new ArrayList<>();
        array.forEach(number -> numbers.add(number.asInt()));
        return numbers;
    }
}

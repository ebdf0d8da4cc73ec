package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The order in which a JobSet makes its replicated jobs: each after those that it depends on, or all one after the
 * other.
 */
public final class ReplicatedOrder {
    private static final String COMPLETE = "Complete";

    private ReplicatedOrder() {}

    /** What is yet to happen before all Jobs with workers are made; nothing of a Job alone. */
    public static List<String> awaited(JsonNode workload, WorkerJobs workers) {
        JsonNode all = workload.at("/spec/replicatedJobs");
        boolean inOrder =
                workload.at("/spec/startupPolicy/startupPolicyOrder").asText().equals("InOrder");
        Set<String> awaited = new TreeSet<>();
        List<JsonNode> earlier = new ArrayList<>();
        Iterator<Boolean> works = workers.of(workload).iterator();
        for (JsonNode replicated : all) {
            if (works.next() && !isBegun(workload, replicated)) {
                for (JsonNode needed : replicated.path("dependsOn")) {
                    boolean complete = needed.path("status").asText().equals(COMPLETE);
                    add(workload, named(all, needed.path("name").asText()), complete, awaited);
                }
                if (inOrder) {
                    earlier.forEach(before -> add(workload, before, false, awaited));
                }
            }
            earlier.add(replicated);
        }
        return List.copyOf(awaited);
    }

    /** Whether its Jobs make pods, or did: nothing is waited for again when a pod before them is made anew. */
    private static boolean isBegun(JsonNode workload, JsonNode replicated) {
        JsonNode status = named(
                workload.at("/status/replicatedJobsStatus"),
                replicated.path("name").asText());
        // Jobs that are suspended are there, and yet to begin
        return Stream.of("active", "ready", "succeeded", "failed")
                .anyMatch(count -> status.path(count).asInt() > 0);
    }

    private static void add(JsonNode workload, JsonNode replicated, boolean complete, Set<String> awaited) {
        String name = replicated.path("name").asText();
        if (name.isEmpty()
                || isReached(workload, name, replicated.path("replicas").asInt(1), complete)) {
            return;
        }
        awaited.add("replicated job " + name + (complete ? " to complete" : " to be ready"));
    }

    /** As JobSet counts it: one that has ended was ready. */
    private static boolean isReached(JsonNode workload, String name, int replicas, boolean complete) {
        JsonNode status = named(workload.at("/status/replicatedJobsStatus"), name);
        int succeeded = status.path("succeeded").asInt();
        return (complete
                        ? succeeded
                        : succeeded
                                + status.path("ready").asInt()
                                + status.path("failed").asInt())
                >= replicas;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode each : list) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }
}

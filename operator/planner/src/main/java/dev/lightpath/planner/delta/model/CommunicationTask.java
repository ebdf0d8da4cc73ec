package dev.lightpath.planner.delta.model;

import java.util.HashSet;
import java.util.List;

/**
 * One transfer between two pods (a task of the reduced DAG, section III-B).
 *
 * @param id position in the instance's task list
 * @param name for people
 * @param source pod the bytes leave
 * @param destination pod the bytes reach
 * @param flows number of equal flows, at least 1, spread evenly over the GPUs of both sides
 * @param bytes volume of all flows together, 0 or more
 * @param sourceGpus distinct GPU numbers, at least one
 * @param destinationGpus distinct GPU numbers, at least one
 */
public record CommunicationTask(
        int id,
        String name,
        int source,
        int destination,
        int flows,
        double bytes,
        List<Integer> sourceGpus,
        List<Integer> destinationGpus) {
    /** @throws IllegalArgumentException naming the field as in {@code delta-instance/1} and what is allowed; O(GPUs) */
    public CommunicationTask {
        sourceGpus = List.copyOf(sourceGpus);
        destinationGpus = List.copyOf(destinationGpus);
        if (source == destination) {
            throw new IllegalArgumentException("src and dst: both " + source + ", allowed: two different pods");
        }
        if (flows < 1) {
            throw new IllegalArgumentException("flows: " + flows + ", allowed: 1 or more");
        }
        if (!(bytes >= 0) || Double.isInfinite(bytes)) {
            throw new IllegalArgumentException("bytes: " + bytes + ", allowed: a finite number, 0 or more");
        }
        requireDistinct("srcGpus", sourceGpus);
        requireDistinct("dstGpus", destinationGpus);
    }

    private static void requireDistinct(String field, List<Integer> gpus) {
        if (gpus.isEmpty()) {
            throw new IllegalArgumentException(field + ": empty, allowed: at least one GPU");
        }
        if (new HashSet<>(gpus).size() != gpus.size()) {
            throw new IllegalArgumentException(field + ": " + gpus + " repeats a GPU, allowed: distinct numbers");
        }
    }
}

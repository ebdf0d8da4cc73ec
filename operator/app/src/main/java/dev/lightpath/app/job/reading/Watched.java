package dev.lightpath.app.job.reading;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What watches show of a job, which may be late.
 *
 * @param pods that carry its label
 * @param slices names of its slices
 * @param jobSets names of JobSets that carry its label
 * @param elder a job before it that refers to the same workload
 */
public record Watched(List<Pod> pods, Set<String> slices, Set<String> jobSets, Optional<String> elder) {
    /** Of a job whose workload no other refers to. */
    public Watched(List<Pod> pods, Set<String> slices, Set<String> jobSets) {
        this(pods, slices, jobSets, Optional.empty());
    }

    public Watched {
        pods = List.copyOf(pods);
        slices = Set.copyOf(slices);
        jobSets = Set.copyOf(jobSets);
    }
}

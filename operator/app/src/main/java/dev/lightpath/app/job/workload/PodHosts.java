package dev.lightpath.app.job.workload;

import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.WorkloadFacts;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Host names of the pods of a job, which the headless service of its JobSet gives them.
 *
 * @param jobSet its name
 */
public record PodHosts(String jobSet) {
    /** Annotations of a pod hold 256 KiB in all. */
    private static final int LONGEST_FILE = 128 * 1024;

    /** Empty where the operator did not make the pods: their names are the user's. */
    public static Optional<PodHosts> of(WorkloadFacts workload) {
        return workload instanceof WorkloadFacts.Own own ? Optional.of(new PodHosts(own.name())) : Optional.empty();
    }

    /** Of the pod of a rank. */
    public String name(int rank) {
        return jobSet + "-" + JobSets.WORKERS + "-0-" + rank + "." + jobSet;
    }

    /**
     * A hostfile of Open MPI, in the order of the ranks; empty where it is too long for a pod to carry.
     *
     * @param slots processes of each pod
     */
    public String file(int nodes, int slots) {
        String line = name(0) + " slots=" + slots;
        return (long) nodes * (line.length() + 8) > LONGEST_FILE
                ? ""
                : IntStream.range(0, nodes)
                        .mapToObj(rank -> name(rank) + " slots=" + slots + "\n")
                        .collect(Collectors.joining());
    }
}

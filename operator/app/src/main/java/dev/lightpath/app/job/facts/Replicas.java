package dev.lightpath.app.job.facts;

import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How many data-parallel replicas a job has: an elastic one may have fewer than it wants. The record of its ring says it. */
public final class Replicas {
    private Replicas() {}

    /** Empty for a job that has all of them or none, and while it has no place. */
    static OptionalInt of(TrainingJob job, List<SliceFacts> current) {
        Parallelism split = job.getSpec().parallelism();
        return split.elastic()
                ? current.stream()
                        .filter(slice -> slice.demand().scaleUp() != null)
                        .flatMap(slice -> slice.allocation().stream())
                        .map(Allocation::groups)
                        .filter(groups -> !groups.isEmpty())
                        .mapToInt(groups -> groups.size() / split.groupsPerReplica())
                        .findFirst()
                : OptionalInt.empty();
    }

    /** The job as one that wants only so many; the same without a number. */
    public static TrainingJob sized(TrainingJob job, OptionalInt replicas) {
        if (replicas.isEmpty()) {
            return job;
        }
        TrainingJob sized = new TrainingJob();
        sized.setMetadata(job.getMetadata());
        sized.setSpec(job.getSpec().with(job.getSpec().parallelism().withData(replicas.getAsInt())));
        sized.setStatus(job.getStatus());
        return sized;
    }

    /** What the status of the job says of them. */
    public static Optional<JobWidth> width(JobFacts facts) {
        OptionalInt replicas = facts.replicas();
        return replicas.isEmpty()
                ? Optional.empty()
                : Optional.of(new JobWidth(
                        replicas.getAsInt(), facts.job().getSpec().parallelism().data()));
    }
}

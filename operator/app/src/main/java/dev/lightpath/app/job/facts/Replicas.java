package dev.lightpath.app.job.facts;

import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.reading.TrafficReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many data-parallel replicas a job has: an elastic one may have fewer than it wants. The groups of its record say
 * it: tensor-parallel groups on a ring, stages on switches.
 */
public final class Replicas {
    private Replicas() {}

    /** Empty for a job that has all of them or none, and while it has no place. */
    static OptionalInt of(TrainingJob job, List<SliceFacts> current) {
        Parallelism split = job.getSpec().parallelism();
        return split.elastic()
                ? current.stream()
                        .flatMapToInt(slice -> slice.allocation()
                                .map(Allocation::groups)
                                .filter(groups -> !groups.isEmpty())
                                .map(groups -> of(split, slice.demand(), groups.size()).stream())
                                .orElseGet(IntStream::empty))
                        .findFirst()
                : OptionalInt.empty();
    }

    /** By what the slice was made for: the job may be changed until it is told that it is placed. */
    private static OptionalInt of(Parallelism asked, Demand demand, int groups) {
        ScaleUpDemand ring = demand.scaleUp();
        if (ring != null) {
            Integer together = ring.groupsPerReplica();
            return OptionalInt.of(groups / (together == null ? asked.groupsPerReplica() : together));
        }
        ScaleOutDemand switches = demand.scaleOut();
        Parallelism split = switches == null ? asked : switches.parallelism();
        try {
            return OptionalInt.of(
                    groups / split.pipeline() * TrafficReader.parallelism(split).dataRanksPerStage());
        } catch (IllegalArgumentException nonsense) {
            return OptionalInt.empty();
        }
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
        return of(facts.job(), facts.replicas());
    }

    /**
     * What the status says while an attempt has pods and no record. The record may be lost, and how many replicas the
     * job has is part of what gives it back. A status that was lost too is made up for by what the JobSet was made for.
     */
    public static Optional<JobWidth> lastKnown(JobFacts facts) {
        TrainingJob job = facts.job();
        Parallelism split = job.getSpec().parallelism();
        Optional<Made> made =
                facts.workload().running().filter(run -> !run.deleting()).map(WorkloadFacts.Run::made);
        if (!split.elastic()
                || made.isEmpty()
                || facts.current().stream()
                        .noneMatch(slice -> slice.allocation().isEmpty())) {
            return Optional.empty();
        }
        @Nullable TrainingJobStatus status = job.getStatus();
        @Nullable Integer attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            int replica = split.withData(1).gpus();
            OptionalInt gpus = made.get().gpus();
            return of(job, gpus.isEmpty() ? gpus : OptionalInt.of(Math.max(1, gpus.getAsInt() / replica)));
        }
        return attempt == facts.attempt() ? Optional.ofNullable(status.width()) : Optional.empty();
    }

    private static Optional<JobWidth> of(TrainingJob job, OptionalInt replicas) {
        return replicas.isEmpty()
                ? Optional.empty()
                : Optional.of(new JobWidth(
                        replicas.getAsInt(), job.getSpec().parallelism().data()));
    }
}

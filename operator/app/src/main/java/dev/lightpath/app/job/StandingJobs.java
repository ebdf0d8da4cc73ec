package dev.lightpath.app.job;

import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.plan.Acceptance;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.app.kueue.QueuedWorkload.Owner;
import dev.lightpath.app.kueue.Standing;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.ResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which TrainingJobs stand for a Workload of Kueue: those that name one of its owners, or whose label one of its pods
 * carries.
 *
 * @param jobs all of the cluster
 * @param pods those that carry the label of a job
 */
record StandingJobs(ResourceCache<TrainingJob> jobs, ResourceCache<Pod> pods) {

    /**
     * O(jobs of the namespace + owners), and O(pods of jobs there) where no owner is a pod with a label.
     *
     * @param workload its name
     */
    List<TrainingJob> of(String namespace, String workload, List<Owner> owners) {
        Set<String> labelled =
                jobs.list(namespace, Acceptance::namesPods).findAny().isEmpty()
                        ? Set.of()
                        : labels(namespace, workload, owners);
        return jobs.list(
                        namespace,
                        job -> Acceptance.namesPods(job)
                                ? labelled.contains(job.getMetadata().getName())
                                : owners.stream().anyMatch(owner -> names(job, owner)))
                .toList();
    }

    /**
     * How jobs that stand for a Workload answer it.
     *
     * @param found as {@link #of} finds them
     */
    Standing standing(String namespace, List<TrainingJob> found, List<Owner> owners) {
        if (found.isEmpty()) {
            return new Standing.Nobody();
        }
        return found.stream().allMatch(Acceptance::namesPods)
                ? new Standing.ByLabel(
                        found.stream().allMatch(job -> job.getStatus() != null),
                        found.stream()
                                .flatMap(job -> refusal(job.getStatus()).stream())
                                .findFirst(),
                        !owners.stream().allMatch(owner -> wasLetGo(namespace, owner)))
                : new Standing.Answered();
    }

    /** Of a pod that is not known, or of an object that makes pods, that is not known either. */
    private boolean wasLetGo(String namespace, Owner owner) {
        return owner.isPod()
                && pods.get(new ResourceID(owner.name(), namespace))
                        .filter(owner::holds)
                        .filter(pod -> pod.getSpec().getSchedulingGates().stream()
                                .noneMatch(gate -> LightpathNames.SCHEDULING_GATE.equals(gate.getName())))
                        .isPresent();
    }

    /** Why a job is not accepted though it waits for no quota, as it was told. */
    static Optional<String> refusal(@Nullable TrainingJobStatus told) {
        return told == null
                ? Optional.empty()
                : told.conditions().stream()
                        .filter(condition -> ConditionType.ACCEPTED.word().equals(condition.getType())
                                && "False".equals(condition.getStatus())
                                && !Reason.WAITING_FOR_QUOTA.word().equals(condition.getReason()))
                        .map(condition -> condition.getReason() + ": " + condition.getMessage())
                        .findFirst();
    }

    /** Of pods that own it; else of those of its group that another object makes, which owns it then. */
    private Set<String> labels(String namespace, String workload, List<Owner> owners) {
        Set<String> owning = owners.stream()
                .filter(Owner::isPod)
                .flatMap(owner -> pods.get(new ResourceID(owner.name(), namespace)).stream()
                        .filter(owner::holds))
                .flatMap(StandingJobs::label)
                .collect(Collectors.toUnmodifiableSet());
        return owning.isEmpty()
                ? pods.list(
                                namespace,
                                pod -> Kueue.group(pod).equals(Optional.of(workload))
                                        && owners.stream().anyMatch(owner -> owner.holds(pod)))
                        .flatMap(StandingJobs::label)
                        .collect(Collectors.toUnmodifiableSet())
                : owning;
    }

    private static Stream<String> label(Pod pod) {
        @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? Stream.empty() : Stream.ofNullable(labels.get(LightpathLabels.JOB));
    }

    private static boolean names(TrainingJob job, Owner owner) {
        @Nullable Workload workload = job.getSpec().workload();
        if (workload == null) {
            return false;
        }
        return workload.ref() == null
                ? owner.kind().equals(JobSets.KIND) && owner.name().equals(JobNames.jobSet(job))
                : owner.kind().equals(workload.ref().kind())
                        && owner.name().equals(workload.ref().name());
    }
}

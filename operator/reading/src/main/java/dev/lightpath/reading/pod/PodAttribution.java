package dev.lightpath.reading.pod;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which job's light each pod uses, and which nodes other pods hold (ADR 46).
 *
 * @param ofJob pods by the UID of the job: a name may have had several jobs
 * @param busy by resource, the nodes whose devices are held by pods of no job that has a slice
 */
public record PodAttribution(Map<String, List<PodUse>> ofJob, Map<String, Set<String>> busy) {
    /**
     * Linear in pods and slices.
     *
     * @param batchJobs what controls each batch Job that is known, by its UID
     * @param jobs gives the TrainingJob of a namespace/name, null where there is none
     * @param isNode whether there is a node of a name
     */
    public static PodAttribution of(
            Stream<PodUse> pods,
            Map<String, Optional<Controller>> batchJobs,
            Function<String, @Nullable TrainingJob> jobs,
            Collection<FabricSlice> slices,
            Predicate<String> isNode) {
        Map<String, List<PodUse>> ofJob = new HashMap<>();
        Map<String, Set<String>> busy = new HashMap<>();
        Set<String> withSlices = slices.stream()
                .flatMap(slice -> Optional.ofNullable(slice.getSpec().job()).map(JobReference::uid).stream())
                .collect(Collectors.toSet());
        OrphanedCircuits left = OrphanedCircuits.of(slices, jobs, isNode);
        pods.forEach(pod -> {
            Optional<TrainingJob> job =
                    pod.job().flatMap(name -> Optional.ofNullable(jobs.apply(pod.namespace() + "/" + name)));
            Optional<String> uid = job.filter(of -> PodOwnership.mayBe(of, pod.controller(), batchJobs))
                    .map(of -> of.getMetadata().getUid());
            // a pin tells of a node that a pod will have only where we let the pod go
            PodUse known = job.filter(of -> PodOwnership.isProved(of, pod.controller(), batchJobs, pod.bound()))
                            .isPresent()
                    ? pod
                    : pod.unproven();
            uid.ifPresent(
                    of -> ofJob.computeIfAbsent(of, any -> new ArrayList<>()).add(known));
            left.used(pod, job, uid.isPresent(), batchJobs)
                    .forEach(of ->
                            ofJob.computeIfAbsent(of, any -> new ArrayList<>()).add(pod));
            // what a slice of its job wishes says which nodes its pods hold
            boolean ours = uid.filter(withSlices::contains).isPresent();
            if (!ours && known.claimsDevices()) {
                pod.resources()
                        .forEach(resource -> pod.node()
                                .ifPresent(node -> busy.computeIfAbsent(resource, of -> new HashSet<>())
                                        .add(node)));
            }
        });
        return new PodAttribution(ofJob, busy);
    }

    /** The pods that use the light of the job with this UID. */
    public List<PodUse> of(String job) {
        return ofJob.getOrDefault(job, List.of());
    }
}

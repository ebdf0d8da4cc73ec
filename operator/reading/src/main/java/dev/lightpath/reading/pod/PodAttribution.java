package dev.lightpath.reading.pod;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
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
     * Linear in pods, slices, and nodes of their records; for each pod also in the slices of its job.
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
        Map<String, List<FabricSlice>> ofJobs = new HashMap<>();
        for (FabricSlice slice : slices) {
            @Nullable JobReference served = slice.getSpec().job();
            if (served != null) {
                ofJobs.computeIfAbsent(served.uid(), any -> new ArrayList<>()).add(slice);
            }
        }
        // a job's pods ask for each of its slices, whose record may name thousands of nodes
        Map<FabricSlice, OrphanedCircuits.Where> read = new IdentityHashMap<>();
        Function<FabricSlice, OrphanedCircuits.Where> where =
                of -> read.computeIfAbsent(of, slice -> OrphanedCircuits.where(slice, isNode));
        OrphanedCircuits left = OrphanedCircuits.of(slices, jobs, isNode);
        pods.forEach(pod -> {
            Optional<TrainingJob> job =
                    pod.job().flatMap(name -> Optional.ofNullable(jobs.apply(pod.namespace() + "/" + name)));
            // a pin tells of a node that a pod will have only where we let the pod go
            boolean proved = job.filter(of -> PodOwnership.isProved(of, pod.controller(), batchJobs, pod.bound())
                            || isLit(pod, ofJobs.getOrDefault(of.getMetadata().getUid(), List.of()), where))
                    .isPresent();
            PodUse known = proved ? pod : pod.unproven();
            Optional<String> uid = job.filter(of -> proved || PodOwnership.mayBe(of, pod.controller(), batchJobs))
                    .map(of -> of.getMetadata().getUid());
            uid.ifPresent(
                    of -> ofJob.computeIfAbsent(of, any -> new ArrayList<>()).add(known));
            left.used(pod, job, uid.isPresent(), batchJobs)
                    .forEach(of ->
                            ofJob.computeIfAbsent(of, any -> new ArrayList<>()).add(pod));
            // what a slice of its job wishes says which nodes its pods hold
            boolean ours = uid.filter(ofJobs::containsKey).isPresent();
            if (!ours && known.claimsDevices()) {
                pod.resources()
                        .forEach(resource -> pod.node()
                                .ifPresent(node -> busy.computeIfAbsent(resource, of -> new HashSet<>())
                                        .add(node)));
            }
        });
        return new PodAttribution(ofJob, busy);
    }

    /**
     * Whether a pod was let go into light that its job still has, and is at a node of it: it may run on there, whatever
     * workload the job names by now.
     *
     * @param slices of the job
     * @param where the nodes of a record
     */
    private static boolean isLit(
            PodUse pod, List<FabricSlice> slices, Function<FabricSlice, OrphanedCircuits.Where> where) {
        return pod.bound()
                && pod.wasLetGo()
                && slices.stream()
                        .anyMatch(slice -> isOfAttempt(slice, pod)
                                && slice.getStatus() != null
                                && slice.getStatus().allocation() != null
                                && where.apply(slice).mayBeAt(pod.node()));
    }

    private static boolean isOfAttempt(FabricSlice slice, PodUse pod) {
        @Nullable JobReference served = slice.getSpec().job();
        return served != null && pod.wasLetGo(Integer.toString(served.attempt()));
    }

    /** The pods that use the light of the job with this UID. */
    public List<PodUse> of(String job) {
        return ofJob.getOrDefault(job, List.of());
    }
}

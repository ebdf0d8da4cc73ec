package dev.lightpath.reading.pod;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.JobReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Light that jobs left behind when they went all at once, and whose pods may run on in it. There may be a new job of
 * the same name by now: a pod tells its job by that name.
 *
 * @param jobs where the light of each job that is gone may be, by the job's namespace/name and by its UID
 */
record OrphanedCircuits(Map<String, Map<String, Where>> jobs) {
    /** @param known whether that is all: otherwise it may be on any node */
    record Where(Set<String> nodes, boolean known) {
        Where and(Where other) {
            Set<String> both = new HashSet<>(nodes);
            both.addAll(other.nodes);
            return new Where(both, known && other.known);
        }

        boolean mayBeAt(Optional<String> node) {
            return !known || node.filter(nodes::contains).isPresent();
        }
    }

    /**
     * Linear in the slices, and in the nodes of those whose job is gone.
     *
     * @param present gives the job of a namespace/name, null where there is none
     * @param isNode whether there is a node of a name; a record may name pods of a fabric instead
     */
    static OrphanedCircuits of(
            Collection<FabricSlice> slices, Function<String, @Nullable TrainingJob> present, Predicate<String> isNode) {
        Map<String, Map<String, Where>> jobs = new HashMap<>();
        for (FabricSlice slice : slices) {
            @Nullable JobReference of = slice.getSpec().job();
            if (of != null) {
                String key = slice.getMetadata().getNamespace() + "/" + of.name();
                @Nullable TrainingJob now = present.apply(key);
                if (now == null || !now.getMetadata().getUid().equals(of.uid())) {
                    jobs.computeIfAbsent(key, any -> new HashMap<>()).merge(of.uid(), where(slice, isNode), Where::and);
                }
            }
        }
        return new OrphanedCircuits(jobs);
    }

    static Where where(FabricSlice slice, Predicate<String> isNode) {
        @Nullable FabricSliceStatus status = slice.getStatus();
        @Nullable Allocation recorded = status == null ? null : status.allocation();
        if (recorded == null) {
            return new Where(Set.of(), false);
        }
        List<String> named = recorded.groups().stream()
                .map(GroupAllocation::nodes)
                .flatMap(List::stream)
                .toList();
        boolean whole = recorded.parts() == null && !named.isEmpty();
        return new Where(Set.copyOf(named), whole && named.stream().allMatch(isNode));
    }

    /**
     * UIDs of the jobs that are gone whose light a pod may use: of those of the name that it tells, unless the job that
     * there is now made it. One that this job only names may have run before; it uses the light of the node where it
     * is.
     *
     * @param now the job of that name, if there is one
     * @param itsOwn whether the pod may be of that job
     * @param controllers what controls each batch Job that is known, by UID
     */
    Stream<String> used(
            PodUse pod, Optional<TrainingJob> now, boolean itsOwn, Map<String, Optional<Controller>> controllers) {
        Map<String, Where> gone =
                pod.job().map(name -> jobs.get(pod.namespace() + "/" + name)).orElse(Map.of());
        if (gone.isEmpty()
                || now.filter(of -> PodOwnership.isMadeBy(of, pod.controller(), controllers))
                        .isPresent()) {
            return Stream.empty();
        }
        return gone.entrySet().stream()
                .filter(light -> !itsOwn || light.getValue().mayBeAt(pod.node()))
                .map(Map.Entry::getKey);
    }
}

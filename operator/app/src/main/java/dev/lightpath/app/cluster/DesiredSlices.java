package dev.lightpath.app.cluster;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.pod.PodUse;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What slices ask for. A slice is read again when it, its job or the pods that use its light are others than before,
 * and what it asks for stays the same object as long as it is equal: the planner tells by that what has changed. Serves
 * one thread.
 */
final class DesiredSlices {
    /**
     * What a slice asked for.
     *
     * @param slice compared by identity
     * @param of the job, or the fabric of a static topology; likewise
     */
    private record Asked(FabricSlice slice, @Nullable Object of, List<PodUse> pods, Optional<SliceIntent> intent) {
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(FabricSlice other, @Nullable Object otherOf, List<PodUse> otherPods) {
            return slice == other && of == otherOf && pods.equals(otherPods);
        }
    }

    private Map<SliceId, Asked> known = new HashMap<>();
    private SortedMap<SliceId, SliceIntent> last = new TreeMap<>();

    /**
     * Linear in slices; looks closely only at those of which something changed. The same map if nothing has.
     *
     * @param jobs by namespace/name
     * @param fabrics by name
     * @param misread told of each slice whose demand cannot be read
     */
    SortedMap<SliceId, SliceIntent> read(
            Collection<FabricSlice> slices,
            PodAttribution pods,
            Function<String, @Nullable TrainingJob> jobs,
            Function<String, @Nullable OpticalFabric> fabrics,
            BiConsumer<FabricSlice, IllegalArgumentException> misread) {
        Map<SliceId, Asked> all = new HashMap<>();
        SortedMap<SliceId, SliceIntent> intents = new TreeMap<>();
        for (FabricSlice slice : slices) {
            SliceId id = new SliceId(
                    slice.getMetadata().getNamespace(), slice.getMetadata().getName());
            try {
                Asked asked = asked(known.get(id), slice, pods, jobs, fabrics);
                all.put(id, asked);
                asked.intent().ifPresent(intent -> intents.put(intent.id(), intent));
            } catch (IllegalArgumentException e) {
                misread.accept(slice, e);
            }
        }
        known = all;
        if (!FixedMap.sameObjects(last, intents)) {
            last = FixedMap.copyOf(intents);
        }
        return last;
    }

    private static Asked asked(
            @Nullable Asked before,
            FabricSlice slice,
            PodAttribution pods,
            Function<String, @Nullable TrainingJob> jobs,
            Function<String, @Nullable OpticalFabric> fabrics) {
        JobReference job = slice.getSpec().job();
        TrainingJob owner = job == null ? null : jobs.apply(slice.getMetadata().getNamespace() + "/" + job.name());
        OpticalFabric fabric = job == null ? fabrics.apply(slice.getSpec().fabric()) : null;
        List<PodUse> use = job == null ? List.of() : pods.of(job.uid());
        Object of = job == null ? fabric : owner;
        if (before != null && before.isOf(slice, of, use)) {
            return before;
        }
        Optional<SliceIntent> intent = job == null
                ? SliceIntentReader.staticTopology(slice, fabric)
                : SliceIntentReader.read(slice, owner, use);
        return new Asked(slice, of, use, before != null && before.intent().equals(intent) ? before.intent() : intent);
    }
}

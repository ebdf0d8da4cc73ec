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
 * What slices wish. A slice is read again when it, its job or the pods that use its light are others than before, and
 * what it wishes stays the same object as long as it is equal: the planner tells by that what has changed. Serves one
 * thread.
 */
final class WishedSlices {
    /**
     * What a slice wished.
     *
     * @param slice compared by identity
     * @param of the job, or the fabric of a static topology; likewise
     */
    private record Wish(FabricSlice slice, @Nullable Object of, List<PodUse> pods, Optional<SliceIntent> intent) {
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(FabricSlice other, @Nullable Object otherOf, List<PodUse> otherPods) {
            return slice == other && of == otherOf && pods.equals(otherPods);
        }
    }

    private Map<SliceId, Wish> known = new HashMap<>();
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
        Map<SliceId, Wish> wishes = new HashMap<>();
        SortedMap<SliceId, SliceIntent> intents = new TreeMap<>();
        for (FabricSlice slice : slices) {
            SliceId id = new SliceId(
                    slice.getMetadata().getNamespace(), slice.getMetadata().getName());
            try {
                Wish wish = wish(known.get(id), slice, pods, jobs, fabrics);
                wishes.put(id, wish);
                wish.intent().ifPresent(intent -> intents.put(intent.id(), intent));
            } catch (IllegalArgumentException e) {
                misread.accept(slice, e);
            }
        }
        known = wishes;
        if (!FixedMap.sameObjects(last, intents)) {
            last = FixedMap.copyOf(intents);
        }
        return last;
    }

    private static Wish wish(
            @Nullable Wish before,
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
        return new Wish(slice, of, use, before != null && before.intent().equals(intent) ? before.intent() : intent);
    }
}

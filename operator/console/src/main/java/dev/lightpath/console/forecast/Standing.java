package dev.lightpath.console.forecast;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.AllocationCodec;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.pod.PodAttribution;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What is wished of some fabrics and recorded for it, as the API server shows it.
 *
 * @param slices wishes with the pods that use their light
 * @param idle the same as they would be without any pod
 */
public record Standing(
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, SliceIntent> idle,
        SortedMap<SliceId, LedgerEntry> ledger) {

    /**
     * Linear in all objects.
     *
     * @param fabrics by name
     * @throws BadInput when a slice, or what a job carries, cannot be read
     */
    public static Standing of(
            Map<String, OpticalFabric> fabrics,
            Collection<TrainingJob> jobs,
            Collection<FabricSlice> slices,
            PodAttribution pods) {
        return of(fabrics, jobs, slices, pods, (slice, unreadable) -> {
            throw unreadable;
        });
    }

    /**
     * Linear in all objects.
     *
     * @param fabrics by name
     * @param unreadable takes a slice that is left out, and why it or what its job carries cannot be read
     */
    public static Standing of(
            Map<String, OpticalFabric> fabrics,
            Collection<TrainingJob> jobs,
            Collection<FabricSlice> slices,
            PodAttribution pods,
            BiConsumer<FabricSlice, BadInput> unreadable) {
        Map<String, TrainingJob> known = jobs.stream()
                .collect(Collectors.toMap(
                        job -> key(
                                job.getMetadata().getNamespace(),
                                job.getMetadata().getName()),
                        job -> job));
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>();
        SortedMap<SliceId, SliceIntent> idle = new TreeMap<>();
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
        for (FabricSlice slice : slices) {
            OpticalFabric fabric = fabrics.get(slice.getSpec().fabric());
            if (fabric == null) {
                continue;
            }
            JobReference of = slice.getSpec().job();
            String key = of == null ? "" : key(slice.getMetadata().getNamespace(), of.name());
            try {
                LedgerEntry entry = entry(slice, slices);
                SliceIntentReader.read(slice, known.get(key), of == null ? List.of() : pods.of(of.uid()))
                        .or(() -> SliceIntentReader.staticTopology(slice, fabric))
                        .ifPresent(intent -> {
                            wishes.put(intent.id(), intent);
                            ledger.put(intent.id(), entry);
                        });
                SliceIntentReader.read(slice, known.get(key), List.of())
                        .ifPresent(intent -> idle.put(intent.id(), intent));
            } catch (IllegalArgumentException e) {
                unreadable.accept(slice, misread("FabricSlice", slice, e));
            }
        }
        return new Standing(wishes, idle, ledger);
    }

    private static BadInput misread(String kind, HasMetadata object, IllegalArgumentException why) {
        return new BadInput(
                kind + " "
                        + key(
                                object.getMetadata().getNamespace(),
                                object.getMetadata().getName())
                        + ": " + why.getMessage(),
                why);
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private static LedgerEntry entry(FabricSlice slice, Collection<FabricSlice> slices) {
        String version = Objects.requireNonNullElse(slice.getMetadata().getResourceVersion(), "");
        Map<String, String> annotations =
                Objects.requireNonNullElse(slice.getMetadata().getAnnotations(), Map.of());
        return Optional.ofNullable(slice.getStatus())
                .flatMap(status -> Optional.ofNullable(status.allocation()))
                .map(first -> SliceParts.joined(slice, slices))
                .map(first -> new LedgerEntry(Optional.of(AllocationCodec.read(first)), version))
                .orElseGet(() -> annotations.containsKey(LightpathAnnotations.RECORDED)
                        ? LedgerEntry.missing(version)
                        : new LedgerEntry(Optional.empty(), version));
    }
}

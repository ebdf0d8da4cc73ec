package dev.lightpath.app.job.effects;

import static java.util.Objects.requireNonNull;

import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.reading.FactsReader;
import dev.lightpath.app.objects.Alone;
import dev.lightpath.app.objects.PartRemoval;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slices of jobs that are gone all at once, because somebody took their finalizer: nobody wants their light any more,
 * so it goes down, and then they go by the same rule as those of a job that is deleted. Parts of a record go as soon as
 * their slice is gone.
 */
public final class OrphanedSlices {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanedSlices.class);

    /** The thread that tends them has drivers to connect as well. */
    private static final int AT_ONCE = 32;

    private static final Comparator<FabricSlice> BY_KEY = Comparator.comparing(OrphanedSlices::key);

    private final KubernetesClient client;
    private final FactsReader reader;
    private final SliceRemoval removal;
    private final PartRemoval parts;
    private final Turns slicesTurns = new Turns();
    private final Turns partsTurns = new Turns();

    public OrphanedSlices(KubernetesClient client) {
        this.client = client;
        this.reader = FactsReader.of(client);
        this.removal = new SliceRemoval(client);
        this.parts = new PartRemoval(client);
    }

    /**
     * Linear in jobs and slices as last seen; what goes is read back from the API server before.
     *
     * @param leads whether this is this process's to do still: asked before each step
     * @return false when the API server had something newer or refused something, there are many, or this process leads
     *     no more: to be done again
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when it does not answer
     */
    public boolean tend(Collection<TrainingJob> jobs, Collection<FabricSlice> slices, BooleanSupplier leads) {
        Set<String> known = jobs.stream().map(job -> job.getMetadata().getUid()).collect(Collectors.toSet());
        List<FabricSlice> left = slices.stream()
                .filter(slice -> isLeft(slice, known) && mayBeDark(slice))
                .toList();
        boolean current = slicesTurns.some(
                left,
                leads,
                slice ->
                        tend(slice.getMetadata(), requireNonNull(slice.getSpec().job())));
        return tendParts(slices, leads) && current;
    }

    /** As many at once as may be, and those after them the next time: who stays hides no others. */
    private static final class Turns {
        /** Key of the last that had its turn. */
        private String last = "";

        /** False when one of them was not current or failed, or there are more. */
        boolean some(List<FabricSlice> left, BooleanSupplier leads, Predicate<FabricSlice> goes) {
            List<FabricSlice> turn = Stream.concat(
                            left.stream()
                                    .filter(slice -> key(slice).compareTo(last) > 0)
                                    .sorted(BY_KEY),
                            left.stream()
                                    .filter(slice -> key(slice).compareTo(last) <= 0)
                                    .sorted(BY_KEY))
                    .limit(AT_ONCE)
                    .toList();
            boolean current = left.size() <= AT_ONCE;
            for (FabricSlice each : turn) {
                if (!leads.getAsBoolean()) {
                    return false;
                }
                last = key(each);
                current &= Alone.tend(each, () -> goes.test(each));
            }
            return current;
        }
    }

    private boolean tendParts(Collection<FabricSlice> slices, BooleanSupplier leads) {
        if (slices.stream().noneMatch(SliceParts::isPart)) {
            return true;
        }
        Map<String, FabricSlice> seen = slices.stream()
                .filter(slice -> !SliceParts.isPart(slice))
                .collect(Collectors.toMap(
                        slice -> key(slice, slice.getMetadata().getName()), slice -> slice, (one, other) -> other));
        List<FabricSlice> left = slices.stream()
                .filter(part -> SliceParts.isPart(part) && SliceParts.isLeft(part, name -> seen.get(key(part, name))))
                .toList();
        return partsTurns.some(left, leads, parts::removeLeft);
    }

    private static String key(FabricSlice slice) {
        return key(slice, slice.getMetadata().getName());
    }

    private static String key(FabricSlice beside, String name) {
        return beside.getMetadata().getNamespace() + "/" + name;
    }

    private static boolean isLeft(FabricSlice slice, Set<String> jobs) {
        @Nullable JobReference of = slice.getSpec().job();
        return of != null && !jobs.contains(of.uid()) && !SliceParts.isPart(slice);
    }

    /** As last seen: what shines on is not asked for again and again. */
    private static boolean mayBeDark(FabricSlice slice) {
        SliceFacts seen = SliceFacts.of(slice, none -> null);
        return seen.released() || seen.forceRelease() || seen.allocation().isEmpty();
    }

    private boolean tend(ObjectMeta metadata, JobReference of) {
        String namespace = metadata.getNamespace();
        var slices = client.resources(FabricSlice.class).inNamespace(namespace);
        @Nullable FabricSlice now = slices.withName(metadata.getName()).get();
        if (now == null || exists(namespace, of)) {
            return true;
        }
        SliceFacts facts = SliceFacts.of(now, name -> slices.withName(name).get());
        if (!facts.mayGo(reader.fabric(facts.fabric(), namespace))) {
            return true;
        }
        LOG.atInfo()
                .addKeyValue("namespace", namespace)
                .addKeyValue("slice", facts.name())
                .addKeyValue("job", of.name())
                .log("its job is gone, its light is dark: letting a slice go");
        return removal.remove(now);
    }

    private boolean exists(String namespace, JobReference of) {
        @Nullable
        TrainingJob job = client.resources(TrainingJob.class)
                .inNamespace(namespace)
                .withName(of.name())
                .get();
        return job != null && job.getMetadata().getUid().equals(of.uid());
    }
}

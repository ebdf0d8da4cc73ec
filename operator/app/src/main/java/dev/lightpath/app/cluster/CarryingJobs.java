package dev.lightpath.app.cluster;

import dev.lightpath.app.loop.LedgerUnread;
import dev.lightpath.app.telling.Darkness;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs as a watch shows them, and newer ones where that matters: a slice that somebody deleted goes once its job carries its record
 * (ADR 18), and the watch of jobs may tell of that later than that of slices, or have lost it. Such a job is read back from the API
 * server before anybody takes the light of that slice for nobody's. Not for use by several threads at once.
 */
final class CarryingJobs {
    private final KubernetesClient client;
    private final Function<String, @Nullable TrainingJob> watched;
    /** Slices whose light may burn, as last seen, by UID. */
    private Map<String, FabricSlice> holding = Map.of();
    /** By namespace/name; each newer than what is watched. */
    private final Map<String, TrainingJob> readBack = new HashMap<>();

    /** @param watched the job of that namespace/name as the watch shows it, null when it shows none */
    CarryingJobs(KubernetesClient client, Function<String, @Nullable TrainingJob> watched) {
        this.client = client;
        this.watched = watched;
    }

    /**
     * To be told before any job is asked for, which slices there are now. Linear in them; one call of the API server for each that went
     * though its light was not seen to be dark.
     *
     * @throws LedgerUnread when the API server does not answer; nothing is forgotten then
     */
    void follow(Collection<FabricSlice> slices) {
        Map<String, FabricSlice> now = slices.stream()
                .filter(CarryingJobs::mayShine)
                .collect(
                        Collectors.toMap(slice -> slice.getMetadata().getUid(), slice -> slice, (one, other) -> other));
        Set<String> there =
                slices.stream().map(slice -> slice.getMetadata().getUid()).collect(Collectors.toSet());
        holding.forEach((uid, slice) -> {
            if (!there.contains(uid)) {
                readBack(slice);
            }
        });
        holding = now;
        readBack.entrySet()
                .removeIf(entry ->
                        newer(entry.getValue(), watched.apply(entry.getKey())).isEmpty());
    }

    /** The job of that namespace/name as far as it is known now, null when there is none. */
    @Nullable
    TrainingJob job(String key) {
        @Nullable TrainingJob seen = watched.apply(key);
        return seen == null ? null : newest(seen);
    }

    /** A job that is watched, or what is known of it that is newer. */
    TrainingJob newest(TrainingJob seen) {
        return newer(readBack.get(key(seen)), seen).orElse(seen);
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private void readBack(FabricSlice gone) {
        JobReference of = gone.getSpec().job();
        if (of == null) {
            return;
        }
        try {
            @Nullable
            TrainingJob job = client.resources(TrainingJob.class)
                    .inNamespace(gone.getMetadata().getNamespace())
                    .withName(of.name())
                    .get();
            if (job != null) {
                readBack.put(key(job), job);
            }
        } catch (KubernetesClientException e) {
            throw new LedgerUnread(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean mayShine(FabricSlice slice) {
        return slice.getSpec().job() != null
                && !SliceParts.isPart(slice)
                && slice.getStatus() != null
                && slice.getStatus().allocation() != null
                && !Darkness.isReleased(slice);
    }

    /** The first, if it is the same object at a later version. */
    private static Optional<TrainingJob> newer(@Nullable TrainingJob read, @Nullable TrainingJob seen) {
        return Optional.ofNullable(read)
                .filter(job -> seen != null
                        && job.getMetadata().getUid().equals(seen.getMetadata().getUid())
                        && version(job) > version(seen));
    }

    private static long version(HasMetadata object) {
        return ResourceVersion.number(object.getMetadata().getResourceVersion());
    }
}

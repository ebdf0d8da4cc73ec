package dev.lightpath.app.job;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the light of a running job be repaired before it is told: a repair is over within a tenth of a second, and reading the job's
 * facts and writing its status meanwhile takes as much of the processors as the devices' answers do. From any thread.
 */
final class RepairPause {
    static final Duration LONGEST = Duration.ofMillis(250);

    /** When its repair was first seen, by the job's uid. */
    private final ConcurrentMap<String, Long> sinceNanos = new ConcurrentHashMap<>();

    /**
     * How long nothing has to be said of the job; zero unless all that is new of it is a later revision of its light.
     *
     * @param slices of the job, as the cache has them
     * @param nowNanos by {@link System#nanoTime}
     */
    Duration left(TrainingJob job, Collection<FabricSlice> slices, long nowNanos) {
        String uid = job.getMetadata().getUid();
        if (!isRepaired(job, slices)) {
            sinceNanos.remove(uid);
            return Duration.ZERO;
        }
        long since = sinceNanos.computeIfAbsent(uid, of -> nowNanos);
        Duration left = LONGEST.minusNanos(nowNanos - since);
        if (!left.isPositive()) {
            sinceNanos.remove(uid);
            return Duration.ZERO;
        }
        return left;
    }

    private static boolean isRepaired(TrainingJob job, Collection<FabricSlice> slices) {
        @Nullable TrainingJobStatus told = job.getStatus();
        return job.getMetadata().getDeletionTimestamp() == null
                && told != null
                && Objects.equals(told.observedGeneration(), job.getMetadata().getGeneration())
                && told.conditions().stream()
                        .anyMatch(condition -> ConditionType.READY.word().equals(condition.getType())
                                && "True".equals(condition.getStatus()))
                && slices.stream().allMatch(slice -> slice.getMetadata().getDeletionTimestamp() == null)
                && told.slices().stream().anyMatch(known -> slices.stream().anyMatch(slice -> isLater(slice, known)));
    }

    private static boolean isLater(FabricSlice slice, SliceReference told) {
        return slice.getMetadata().getName().equals(told.name())
                && told.revision() != null
                && slice.getStatus() != null
                && slice.getStatus().allocation() != null
                && slice.getStatus().allocation().revision() > told.revision();
    }
}

package dev.lightpath.app.job;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.StartDelay;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Delays the first status of a new job while its place is found and its light is made. That mostly takes less than a
 * second, and each status and each look at the job costs the API server as much as a record does. What needs somebody,
 * and a place whose pods can be made, is told at once. From any thread.
 */
final class StartPause {
    private static final long LONGEST_NANOS = StartDelay.of(Integer.MAX_VALUE).toNanos();

    /** A job of many that start together has its next turn minutes later. */
    private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

    private record Begun(@Nullable Long generation, long nanos) {
        boolean isOf(TrainingJob job) {
            return job.getMetadata().getDeletionTimestamp() == null
                    && Objects.equals(job.getMetadata().getGeneration(), generation);
        }
    }

    /** By the job's uid, the oldest first. */
    private final Map<String, Begun> begun = new LinkedHashMap<>();

    /** Jobs whose pause ended and that had no turn since, by uid, the oldest first. */
    private final Map<String, Begun> over = new LinkedHashMap<>();

    /** Whether nothing but slices was made for a job of which nothing was told. */
    static boolean isStart(TrainingJob job, List<JobStep> done) {
        return job.getStatus() == null
                && job.getSpec().priorityClassName() == null
                && done.stream().anyMatch(JobStep.CreateSlice.class::isInstance)
                && done.stream()
                        .allMatch(step -> step instanceof JobStep.CreateSlice || step instanceof JobStep.AddFinalizer);
    }

    /**
     * The slices of the job were made. Amortized O(1).
     *
     * @param nowNanos by {@link System#nanoTime}
     * @return when to look at the job though nothing is heard
     */
    synchronized Duration begin(TrainingJob job, long nowNanos) {
        over.putAll(taken(begun, nowNanos - LONGEST_NANOS));
        var unused = taken(over, nowNanos - REMEMBERED_NANOS);
        begun.put(job.getMetadata().getUid(), new Begun(job.getMetadata().getGeneration(), nowNanos));
        return length();
    }

    /** Takes out those that began before that. */
    private static Map<String, Begun> taken(Map<String, Begun> jobs, long beforeNanos) {
        Map<String, Begun> taken = new LinkedHashMap<>();
        Iterator<Map.Entry<String, Begun>> oldest = jobs.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<String, Begun> job = oldest.next();
            if (job.getValue().nanos() - beforeNanos > 0) {
                break;
            }
            taken.put(job.getKey(), job.getValue());
            oldest.remove();
        }
        return taken;
    }

    /**
     * How long nothing has to be said of the job; zero unless its slices were just made, and nothing stands in their
     * way.
     *
     * @param slices of the job, as the cache has them
     * @param nowNanos by {@link System#nanoTime}
     */
    synchronized Duration left(TrainingJob job, Collection<FabricSlice> slices, long nowNanos) {
        String uid = job.getMetadata().getUid();
        @Nullable Begun since = begun.get(uid);
        if (since == null) {
            return Duration.ZERO;
        }
        Duration left = length().minusNanos(nowNanos - since.nanos());
        if (!left.isPositive() || !since.isOf(job) || !isUnderWay(job, slices)) {
            begun.remove(uid);
            over.put(uid, since);
            return Duration.ZERO;
        }
        return left;
    }

    /**
     * Whether the job was made by this process as it still is, finalizer and slices, and its pause has ended since. The
     * cache shows each job with the finalizer, also one that has none. True once.
     */
    synchronized boolean isOver(TrainingJob job) {
        @Nullable Begun since = over.remove(job.getMetadata().getUid());
        return since != null && since.isOf(job);
    }

    private Duration length() {
        return StartDelay.of(begun.size());
    }

    private static boolean isUnderWay(TrainingJob job, Collection<FabricSlice> slices) {
        boolean forPods = job.getSpec().workload() != null;
        boolean lit = !slices.isEmpty();
        for (FabricSlice slice : slices) {
            if (SliceParts.isPart(slice)) {
                continue;
            }
            List<Condition> conditions =
                    slice.getStatus() == null ? List.of() : slice.getStatus().conditions();
            if (slice.getMetadata().getDeletionTimestamp() != null
                    || isTaken(slice)
                    || forPods && Conditions.isTrue(conditions, ConditionType.ALLOCATED)
                    || StartDelay.isHeldUp(conditions)) {
                return false;
            }
            lit &= Conditions.isTrue(conditions, ConditionType.READY);
        }
        return !lit;
    }

    /** Whether another job is to have its place, and waits for this one to say so. */
    private static boolean isTaken(FabricSlice slice) {
        return slice.getStatus() != null && slice.getStatus().preemptor() != null;
    }
}

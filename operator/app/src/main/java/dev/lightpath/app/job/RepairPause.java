package dev.lightpath.app.job;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.job.plan.JobEvents;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Delays the status of a running job while its circuits are repaired. A repair is over within a tenth of a second, and
 * reading the job's facts and writing its status meanwhile takes as much of the processors as the devices' answers do.
 * Where a power supply takes many nodes, the repairs of all take some seconds. A job with pods pauses less than a
 * second, because the same look tells them of their light. From any thread.
 */
final class RepairPause {
    private static final Duration OF_ONE = Duration.ofMillis(250);

    /** So many that are repaired at once pause no longer than one does; more of them in proportion. */
    private static final int FEW = 4;

    /** Times the pause of one. */
    private static final int LONGEST = 16;

    /** The same of a job with pods. */
    private static final int LONGEST_OF_PODS = 3;

    /** Repairs that were first seen no longer ago count as repaired at once. */
    private static final long AT_ONCE_NANOS = OF_ONE.multipliedBy(LONGEST).toNanos();

    /**
     * The published state of a job's circuits when its repair was first seen, and the time of that. It stays until
     * another state is published, so a retry is not delayed again.
     */
    private record Seen(List<SliceReference> told, long nanos) {}

    /** By the job's uid. */
    private final ConcurrentMap<String, Seen> seen = new ConcurrentHashMap<>();

    /**
     * How long nothing has to be said of the job; zero unless some of its light has a later revision, and the rest is
     * well. Linear in jobs that were repaired within about a minute.
     *
     * @param slices of the job, as the cache has them
     * @param nowNanos by {@link System#nanoTime}
     */
    Duration left(TrainingJob job, Collection<FabricSlice> slices, long nowNanos) {
        String uid = job.getMetadata().getUid();
        @Nullable TrainingJobStatus status = job.getStatus();
        if (status == null || !isSettled(job, status) || !isRepaired(status.slices(), slices)) {
            seen.remove(uid);
            return Duration.ZERO;
        }
        Seen first = seen.compute(
                uid,
                (same, before) -> before != null && before.told().equals(status.slices())
                        ? before
                        : new Seen(status.slices(), nowNanos));
        // what was told is found so at the next look at its job, a minute later or more
        long atOnce = seen.values().stream()
                .filter(each -> nowNanos - each.nanos() < AT_ONCE_NANOS)
                .count();
        int longest = job.getSpec().workload() == null ? LONGEST : LONGEST_OF_PODS;
        Duration whole = OF_ONE.multipliedBy(Math.clamp(atOnce / FEW, 1, longest));
        Duration left = whole.minusNanos(nowNanos - first.nanos());
        return left.isPositive() ? left : Duration.ZERO;
    }

    private static boolean isSettled(TrainingJob job, TrainingJobStatus told) {
        return job.getMetadata().getDeletionTimestamp() == null
                && Objects.equals(told.observedGeneration(), job.getMetadata().getGeneration())
                && Conditions.isTrue(told.conditions(), ConditionType.READY);
    }

    private static boolean isRepaired(List<SliceReference> told, Collection<FabricSlice> slices) {
        boolean repaired = false;
        for (FabricSlice slice : slices) {
            if (SliceParts.isPart(slice)) {
                continue;
            }
            boolean later = isLater(slice, told);
            if (!later
                    && (slice.getStatus() == null
                            || !Conditions.isTrue(slice.getStatus().conditions(), ConditionType.READY))) {
                return false;
            }
            repaired |= later;
        }
        return repaired;
    }

    /** Whether the slice stays, and has its light by a later record than was told of. */
    private static boolean isLater(FabricSlice slice, List<SliceReference> told) {
        @Nullable
        Allocation recorded =
                slice.getStatus() == null ? null : slice.getStatus().allocation();
        return recorded != null
                && slice.getMetadata().getDeletionTimestamp() == null
                && !(recorded.groups().isEmpty() && recorded.circuits().isEmpty())
                && told.stream()
                        .filter(known -> known.name().equals(slice.getMetadata().getName()))
                        .anyMatch(known -> JobEvents.isLater(known.revision(), recorded.revision()));
    }
}

package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * When a job is looked at: not while its light is about to come or to be repaired anyway, and in turn with others of
 * its namespace. A job that pauses keeps no turn. From any thread; O(1) and linear in the job's slices.
 */
final class Entrance {
    private final RepairPause repairs = new RepairPause();
    private final StartPause starts = new StartPause();
    private final NamespaceTurns turns;

    /** @param caller is told of each job whose turn has come, from any thread */
    Entrance(Consumer<ResourceID> caller) {
        this.turns = new NamespaceTurns(caller);
    }

    /**
     * How long the job waits to be called or to be looked at again, at the most; zero if it may be looked at now, and
     * then {@link #leave} follows.
     *
     * @param light slices of the job, as the cache has them
     * @param nowNanos by {@link System#nanoTime}
     */
    Duration enter(TrainingJob job, Collection<FabricSlice> light, long nowNanos) {
        ResourceID id = ResourceID.fromResource(job);
        Duration pause = repairs.left(job, light, nowNanos);
        if (pause.isZero()) {
            pause = starts.left(job, light, nowNanos);
        }
        if (pause.isPositive()) {
            turns.decline(id);
            return pause;
        }
        return turns.enter(id, !light.isEmpty());
    }

    void leave(TrainingJob job) {
        turns.leave(ResourceID.fromResource(job));
    }

    /** The job is not looked at here, whoever called it. */
    void decline(TrainingJob job) {
        turns.decline(ResourceID.fromResource(job));
    }

    /** {@link StartPause#begin}. */
    Duration begin(TrainingJob job, long nowNanos) {
        return starts.begin(job, nowNanos);
    }

    /** {@link StartPause#isOver}. */
    boolean isPauseOver(TrainingJob job) {
        return starts.isOver(job);
    }
}

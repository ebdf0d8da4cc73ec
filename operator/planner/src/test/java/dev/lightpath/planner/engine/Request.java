package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.time.Instant;
import java.util.Optional;

/** Builds what a scene asks of a fabric: a test names only what it is about. */
final class Request {
    private final SliceIntent.Builder slice;

    private Request(SliceIntent.Builder slice) {
        this.slice = slice;
    }

    /** The first attempt of a job without pods, wanted, repaired at once and relocatable. */
    static Request of(SliceId id, JobId job, String fabric, Demand demand, Instant createdAt) {
        return like(new SliceIntent(
                id,
                job,
                1,
                fabric,
                demand,
                0,
                createdAt,
                true,
                new Workload.LightOnly(),
                new Replacement.Immediately(),
                true));
    }

    /** The same of the job that is named like its slice. */
    static Request of(SliceId id, String fabric, Demand demand, Instant createdAt) {
        return of(id, new JobId(id.namespace(), id.name(), "uid-" + id.name()), fabric, demand, createdAt);
    }

    /** What is asked already. */
    static Request like(SliceIntent was) {
        return new Request(was.but());
    }

    /** The same for another slice. */
    static Request like(SliceIntent was, SliceId id) {
        return new Request(was.but().id(id));
    }

    Request fabric(String next) {
        slice.fabric(next);
        return this;
    }

    Request demand(Demand next) {
        slice.demand(next);
        return this;
    }

    Request attempt(int next) {
        slice.attempt(next);
        return this;
    }

    Request priority(int next) {
        slice.priority(next);
        return this;
    }

    Request wanted(boolean next) {
        slice.wanted(next);
        return this;
    }

    Request workload(Workload next) {
        slice.workload(next);
        return this;
    }

    Request replacement(Replacement next) {
        slice.replacement(next);
        return this;
    }

    Request relocatable(boolean next) {
        slice.relocatable(next);
        return this;
    }

    Request reconfiguration(Reconfiguration next) {
        slice.reconfiguration(next);
        return this;
    }

    Request renewed(boolean next) {
        slice.renewed(next);
        return this;
    }

    /** A person releases it though its circuits may stay lit. */
    Request forced() {
        slice.wanted(false).forced(true);
        return this;
    }

    Request beside(String other) {
        slice.beside(Optional.of(other));
        return this;
    }

    /** The operator did not make what runs on it. */
    Request unstoppable() {
        slice.preemptible(false);
        return this;
    }

    /** It waits for a place, and takes nobody's. */
    Request patient() {
        slice.preempts(false);
        return this;
    }

    /** Its job is asked before its light moves. */
    Request agreement(Agreement next) {
        slice.agreement(Optional.of(next));
        return this;
    }

    SliceIntent slice() {
        return slice.build();
    }
}

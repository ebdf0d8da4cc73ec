package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RoutedRevision;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.time.Instant;
import java.util.Optional;

/** Builds what a scene asks of a fabric: a test names only what it is about. */
final class Request {
    private final SliceId id;
    private final JobId job;
    private final Instant createdAt;
    private String fabric;
    private Demand demand;
    private int attempt = 1;
    private int priority;
    private boolean wanted = true;
    private Workload workload = new Workload.LightOnly();
    private Replacement replacement = new Replacement.Immediately();
    private boolean relocatable = true;
    private Reconfiguration reconfiguration = Reconfiguration.AT_RESTART;
    private boolean renewed;
    private boolean forced;
    private Optional<String> beside = Optional.empty();
    private boolean preemptible = true;
    private boolean preempts = true;
    private Optional<Agreement> agreement = Optional.empty();

    private Request(SliceId id, JobId job, String fabric, Demand demand, Instant createdAt) {
        this.id = id;
        this.job = job;
        this.fabric = fabric;
        this.demand = demand;
        this.createdAt = createdAt;
    }

    /** The first attempt of a job without pods, wanted, repaired at once and relocatable. */
    static Request of(SliceId id, JobId job, String fabric, Demand demand, Instant createdAt) {
        return new Request(id, job, fabric, demand, createdAt);
    }

    /** The same of the job that is named like its slice. */
    static Request of(SliceId id, String fabric, Demand demand, Instant createdAt) {
        return of(id, new JobId(id.namespace(), id.name(), "uid-" + id.name()), fabric, demand, createdAt);
    }

    /** What is asked already. */
    static Request like(SliceIntent was) {
        return like(was, was.id());
    }

    /** The same for another slice. */
    static Request like(SliceIntent was, SliceId id) {
        Request request = new Request(id, was.job(), was.fabric(), was.demand(), was.createdAt());
        request.attempt = was.attempt();
        request.priority = was.priority();
        request.wanted = was.wanted();
        request.workload = was.workload();
        request.replacement = was.replacement();
        request.relocatable = was.relocatable();
        request.reconfiguration = was.reconfiguration();
        request.renewed = was.renewed();
        request.forced = was.forced();
        request.beside = was.beside();
        request.preemptible = was.preemptible();
        request.preempts = was.preempts();
        request.agreement = was.agreement();
        return request;
    }

    Request fabric(String next) {
        fabric = next;
        return this;
    }

    Request demand(Demand next) {
        demand = next;
        return this;
    }

    Request attempt(int next) {
        attempt = next;
        return this;
    }

    Request priority(int next) {
        priority = next;
        return this;
    }

    Request wanted(boolean next) {
        wanted = next;
        return this;
    }

    Request workload(Workload next) {
        workload = next;
        return this;
    }

    Request replacement(Replacement next) {
        replacement = next;
        return this;
    }

    Request relocatable(boolean next) {
        relocatable = next;
        return this;
    }

    Request reconfiguration(Reconfiguration next) {
        reconfiguration = next;
        return this;
    }

    Request renewed(boolean next) {
        renewed = next;
        return this;
    }

    /** A person releases it though its circuits may stay lit. */
    Request forced() {
        wanted = false;
        forced = true;
        return this;
    }

    Request beside(String other) {
        beside = Optional.of(other);
        return this;
    }

    /** The operator did not make what runs on it. */
    Request unstoppable() {
        preemptible = false;
        return this;
    }

    /** It waits for a place, and takes nobody's. */
    Request patient() {
        preempts = false;
        return this;
    }

    /** Its job is asked before its light moves. */
    Request agreement(Agreement next) {
        agreement = Optional.of(next);
        return this;
    }

    SliceIntent slice() {
        return new SliceIntent(
                id,
                job,
                attempt,
                fabric,
                demand,
                priority,
                createdAt,
                wanted,
                workload,
                replacement,
                relocatable,
                reconfiguration,
                renewed,
                forced,
                beside,
                preemptible,
                preempts,
                RoutedRevision.NONE,
                agreement);
    }
}

package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.light.RoutedRevision;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A request for circuits.
 *
 * @param job whose attempt it serves
 * @param attempt counts placements of the whole job, from 1
 * @param fabric asked
 * @param demand what of it
 * @param priority higher first when capacity is short
 * @param createdAt older first among equals: of the job, not of the attempt
 * @param wanted false once the circuits are to be released: deleted, suspended, complete, failed or superseded
 * @param workload what runs on the circuits
 * @param replacement when a fault may move it
 * @param relocatable whether the whole job may be placed anew when no repair fits
 * @param reconfiguration when its circuits may move for the good of others
 * @param renewed whether a later attempt of the same job takes the place of this one: its room is kept for that
 * @param forced whether a person releases it though its circuits may stay lit; it is then not wanted
 * @param beside the other fabric of its job, where both are one placement: neither is decided on without the other's
 *     request
 * @param preemptible whether the operator can end what runs on its circuits, so that a job of higher priority may take
 *     its place
 * @param preempts whether it may take the place of jobs of lower priority
 * @param routed which revision of its record a router has acknowledged
 * @param agreement whether its job is asked before light of running pods moves on purpose
 * @param speeds of GPUs and links, as they were learnt from the iterations of its job
 */
public record SliceIntent(
        SliceId id,
        JobId job,
        int attempt,
        String fabric,
        Demand demand,
        int priority,
        Instant createdAt,
        boolean wanted,
        Workload workload,
        Replacement replacement,
        boolean relocatable,
        Reconfiguration reconfiguration,
        boolean renewed,
        boolean forced,
        Optional<String> beside,
        boolean preemptible,
        boolean preempts,
        RoutedRevision routed,
        Optional<Agreement> agreement,
        Speeds speeds) {

    /**
     * A slice of a job on one fabric, whose place a job of higher priority may take, and which may take places itself.
     * If it may be placed anew, it may also move at a restart.
     */
    public SliceIntent(
            SliceId id,
            JobId job,
            int attempt,
            String fabric,
            Demand demand,
            int priority,
            Instant createdAt,
            boolean wanted,
            Workload workload,
            Replacement replacement,
            boolean relocatable) {
        this(
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
                relocatable ? Reconfiguration.AT_RESTART : Reconfiguration.NEVER,
                false,
                false,
                Optional.empty(),
                true,
                true,
                RoutedRevision.NONE,
                Optional.empty(),
                Speeds.BELIEVED);
    }

    /** Begins with what this one asks. */
    public Builder but() {
        return new Builder(this);
    }

    /** The same once its job has given its place up and its pods are gone. */
    public SliceIntent ended() {
        return but().wanted(false).workload(new Workload.LightOnly()).build();
    }

    /** The same once a router has acknowledged what it says. */
    public SliceIntent routed(RoutedRevision said) {
        return but().routed(said).build();
    }

    /** The same of a job that is asked before its light moves. */
    public SliceIntent asking(Agreement how) {
        return but().agreement(Optional.of(how)).build();
    }

    /** The same of a job whose iterations taught something. */
    public SliceIntent learnt(Speeds learnt) {
        return but().speeds(learnt).build();
    }

    /** The revision of a first record: above all that the job agrees to, which it was asked before that was lost. */
    public long firstRevision() {
        return 1 + agreement.map(Agreement::latest).orElse(0L);
    }

    /** Whether its job is asked before its light moves on purpose: pods run on it that do not all end. */
    public boolean isAsked() {
        return wanted && agreement.isPresent() && workload.usesLight() && !workload.letsLightMove();
    }

    /** The order of service. */
    public static final Comparator<SliceIntent> PRECEDENCE = Comparator.comparingInt(SliceIntent::priority)
            .reversed()
            .thenComparing(SliceIntent::createdAt)
            .thenComparing(SliceIntent::id);

    /** What a slice asks, with some of it changed; for one thread. */
    public static final class Builder {
        private SliceId id;
        private final JobId job;
        private int attempt;
        private String fabric;
        private Demand demand;
        private int priority;
        private final Instant createdAt;
        private boolean wanted;
        private Workload workload;
        private Replacement replacement;
        private boolean relocatable;
        private Reconfiguration reconfiguration;
        private boolean renewed;
        private boolean forced;
        private Optional<String> beside;
        private boolean preemptible;
        private boolean preempts;
        private RoutedRevision routed;
        private Optional<Agreement> agreement;
        private Speeds speeds;

        private Builder(SliceIntent of) {
            id = of.id;
            job = of.job;
            attempt = of.attempt;
            fabric = of.fabric;
            demand = of.demand;
            priority = of.priority;
            createdAt = of.createdAt;
            wanted = of.wanted;
            workload = of.workload;
            replacement = of.replacement;
            relocatable = of.relocatable;
            reconfiguration = of.reconfiguration;
            renewed = of.renewed;
            forced = of.forced;
            beside = of.beside;
            preemptible = of.preemptible;
            preempts = of.preempts;
            routed = of.routed;
            agreement = of.agreement;
            speeds = of.speeds;
        }

        public Builder id(SliceId next) {
            id = next;
            return this;
        }

        public Builder attempt(int next) {
            attempt = next;
            return this;
        }

        public Builder fabric(String next) {
            fabric = next;
            return this;
        }

        public Builder demand(Demand next) {
            demand = next;
            return this;
        }

        public Builder priority(int next) {
            priority = next;
            return this;
        }

        public Builder wanted(boolean next) {
            wanted = next;
            return this;
        }

        public Builder workload(Workload next) {
            workload = next;
            return this;
        }

        public Builder replacement(Replacement next) {
            replacement = next;
            return this;
        }

        public Builder relocatable(boolean next) {
            relocatable = next;
            return this;
        }

        public Builder reconfiguration(Reconfiguration next) {
            reconfiguration = next;
            return this;
        }

        public Builder renewed(boolean next) {
            renewed = next;
            return this;
        }

        public Builder forced(boolean next) {
            forced = next;
            return this;
        }

        public Builder beside(Optional<String> next) {
            beside = next;
            return this;
        }

        public Builder preemptible(boolean next) {
            preemptible = next;
            return this;
        }

        public Builder preempts(boolean next) {
            preempts = next;
            return this;
        }

        public Builder routed(RoutedRevision next) {
            routed = next;
            return this;
        }

        public Builder agreement(Optional<Agreement> next) {
            agreement = next;
            return this;
        }

        public Builder speeds(Speeds next) {
            speeds = next;
            return this;
        }

        public SliceIntent build() {
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
                    routed,
                    agreement,
                    speeds);
        }
    }
}

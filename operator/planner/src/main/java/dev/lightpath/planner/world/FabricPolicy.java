package dev.lightpath.planner.world;

import dev.lightpath.planner.health.HealthPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What an administrator allows.
 *
 * @param maxConcurrentPercent of the fabric's lit circuits that may be dark at one time
 * @param foreignCircuits what to do about circuits that no record explains
 * @param maximumLossDb of a path that qualifies
 * @param hold device signals last this long before they count
 * @param clear health this long ends a fault
 * @param massFailurePercent of the nodes failing within the window that stops all automatic moves
 * @param adopt what to do about circuits found at first contact, empty while undecided
 * @param adopted whether the fabric ever had a record: its first contact is over, and lit circuits without a record are
 *     foreign
 * @param quota how much of it the jobs of a namespace may hold
 * @param longestSearch for the circuits of a job, whatever time limit it asks for
 * @param lineage what was known of the past of its records when it was read: {@link World#lineage}
 * @param preemption whether waiting jobs take the place of jobs of lower priority
 * @param awaitsRoutes whether pods wait until a router has acknowledged that routes follow their circuits
 * @param health when light counts as getting worse, and what is done about it
 */
public record FabricPolicy(
        int maxConcurrentPercent,
        ForeignCircuits foreignCircuits,
        int minimumPassPercent,
        double maximumLossDb,
        Duration hold,
        Duration clear,
        int massFailurePercent,
        Duration massFailureWindow,
        Optional<Adoption> adopt,
        boolean adopted,
        Quota quota,
        Duration longestSearch,
        Lineage lineage,
        Preemption preemption,
        boolean awaitsRoutes,
        HealthPolicy health) {
    /** The same with other times for which signals and health have to last. */
    public FabricPolicy lasting(Duration holdOff, Duration clearing) {
        return new FabricPolicy(
                maxConcurrentPercent,
                foreignCircuits,
                minimumPassPercent,
                maximumLossDb,
                holdOff,
                clearing,
                massFailurePercent,
                massFailureWindow,
                adopt,
                adopted,
                quota,
                longestSearch,
                lineage,
                preemption,
                awaitsRoutes,
                health);
    }

    /** How long circuits are searched for a job that asks for this time: no longer than the policy allows. */
    public Duration searchLimit(Duration asked) {
        return asked.compareTo(longestSearch) < 0 ? asked : longestSearch;
    }

    /** Whose place a waiting job may take. */
    public enum Preemption {
        NEVER,
        LOWER_PRIORITY
    }

    /** What to do about circuits that no record explains. */
    public enum ForeignCircuits {
        REPORT,
        REMOVE
    }

    /** What to do about circuits that were there before any record. */
    public enum Adoption {
        KEEP,
        RESET
    }

    /**
     * Whether foreign circuits are removed, beside those of jobs. Circuits that a person keeps look like circuits that
     * came later: both stay.
     */
    public boolean removesForeign() {
        return foreignCircuits == ForeignCircuits.REMOVE && !adopt.equals(Optional.of(Adoption.KEEP));
    }

    /** For devices that no other operator wrote to, without quotas, preemption and routes. */
    public static FabricPolicy standard() {
        return new FabricPolicy(
                25,
                ForeignCircuits.REPORT,
                90,
                3.0,
                Duration.ofMillis(200),
                Duration.ofSeconds(30),
                20,
                Duration.ofSeconds(30),
                Optional.empty(),
                false,
                Quota.none(),
                Duration.ofSeconds(60),
                Lineage.NONE,
                Preemption.NEVER,
                false,
                HealthPolicy.standard());
    }
}

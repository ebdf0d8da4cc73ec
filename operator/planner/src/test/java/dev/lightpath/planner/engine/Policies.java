package dev.lightpath.planner.engine;

import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.Quota;
import java.util.Optional;

/** Policies that differ from another one in what a test is about. */
public final class Policies {
    private Policies() {}

    /** No more light at one time than this part of it. */
    static FabricPolicy budget(FabricPolicy was, int percent) {
        return of(was, percent, was.massFailurePercent(), was.foreignCircuits(), was.adopt(), was.adopted());
    }

    static FabricPolicy massFailure(FabricPolicy was, int percent) {
        return of(was, was.maxConcurrentPercent(), percent, was.foreignCircuits(), was.adopt(), was.adopted());
    }

    public static FabricPolicy foreign(
            FabricPolicy was, FabricPolicy.ForeignCircuits foreign, Optional<FabricPolicy.Adoption> adopt) {
        return of(was, was.maxConcurrentPercent(), was.massFailurePercent(), foreign, adopt, was.adopted());
    }

    /** Of a fabric on which a record stood. */
    public static FabricPolicy afterFirstContact(FabricPolicy was) {
        return of(was, was.maxConcurrentPercent(), was.massFailurePercent(), was.foreignCircuits(), was.adopt(), true);
    }

    /** Devices of this epoch are accepted. */
    static FabricPolicy accepting(FabricPolicy was, long epoch) {
        return with(was, new Lineage(was.lineage().revision(), was.lineage().digest(), 0, epoch, 0));
    }

    /** What was told of the records, and what a person accepted. */
    static FabricPolicy with(FabricPolicy was, Lineage lineage) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                was.quota(),
                was.longestSearch(),
                lineage,
                was.preemption(),
                was.awaitsRoutes(),
                was.health());
    }

    /** Waiting jobs take the place of jobs of lower priority. */
    static FabricPolicy with(FabricPolicy was, Quota quota) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                quota,
                was.longestSearch(),
                was.lineage(),
                was.preemption(),
                was.awaitsRoutes(),
                was.health());
    }

    static FabricPolicy preempting(FabricPolicy was) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                was.quota(),
                was.longestSearch(),
                was.lineage(),
                FabricPolicy.Preemption.LOWER_PRIORITY,
                was.awaitsRoutes(),
                was.health());
    }

    /** A stage has passed when this part of its links has. */
    static FabricPolicy passing(FabricPolicy was, int percent) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                percent,
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                was.quota(),
                was.longestSearch(),
                was.lineage(),
                was.preemption(),
                was.awaitsRoutes(),
                was.health());
    }

    /** Ports whose light gets worse are taken out, or only told of. */
    static FabricPolicy watching(FabricPolicy was, HealthPolicy health) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                was.quota(),
                was.longestSearch(),
                was.lineage(),
                was.preemption(),
                was.awaitsRoutes(),
                health);
    }

    /** Pods wait until a router has acknowledged the revision of their circuits. */
    static FabricPolicy awaitingRoutes(FabricPolicy was) {
        return new FabricPolicy(
                was.maxConcurrentPercent(),
                was.foreignCircuits(),
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                was.massFailurePercent(),
                was.massFailureWindow(),
                was.adopt(),
                was.adopted(),
                was.quota(),
                was.longestSearch(),
                was.lineage(),
                was.preemption(),
                true,
                was.health());
    }

    private static FabricPolicy of(
            FabricPolicy was,
            int budgetPercent,
            int massFailurePercent,
            FabricPolicy.ForeignCircuits foreign,
            Optional<FabricPolicy.Adoption> adopt,
            boolean adopted) {
        return new FabricPolicy(
                budgetPercent,
                foreign,
                was.minimumPassPercent(),
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                massFailurePercent,
                was.massFailureWindow(),
                adopt,
                adopted,
                was.quota(),
                was.longestSearch(),
                was.lineage(),
                was.preemption(),
                was.awaitsRoutes(),
                was.health());
    }
}

package dev.lightpath.planner.engine;

import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.Quota;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Policies that differ from another one in what a test is about. */
public final class Policies {
    private int maxConcurrentPercent;
    private FabricPolicy.ForeignCircuits foreignCircuits;
    private int minimumPassPercent;
    private int massFailurePercent;
    private Optional<FabricPolicy.Adoption> adopt;
    private boolean adopted;
    private Quota quota;
    private Duration longestSearch;
    private Lineage lineage;
    private FabricPolicy.Preemption preemption;
    private boolean awaitsRoutes;
    private HealthPolicy health;

    private Policies(FabricPolicy was) {
        maxConcurrentPercent = was.maxConcurrentPercent();
        foreignCircuits = was.foreignCircuits();
        minimumPassPercent = was.minimumPassPercent();
        massFailurePercent = was.massFailurePercent();
        adopt = was.adopt();
        adopted = was.adopted();
        quota = was.quota();
        longestSearch = was.longestSearch();
        lineage = was.lineage();
        preemption = was.preemption();
        awaitsRoutes = was.awaitsRoutes();
        health = was.health();
    }

    /** The one place that copies a policy. */
    private static FabricPolicy changed(FabricPolicy was, Consumer<Policies> change) {
        Policies next = new Policies(was);
        change.accept(next);
        return new FabricPolicy(
                next.maxConcurrentPercent,
                next.foreignCircuits,
                next.minimumPassPercent,
                was.maximumLossDb(),
                was.hold(),
                was.clear(),
                next.massFailurePercent,
                was.massFailureWindow(),
                next.adopt,
                next.adopted,
                next.quota,
                next.longestSearch,
                next.lineage,
                next.preemption,
                next.awaitsRoutes,
                next.health);
    }

    /** No more light at one time than this part of it. */
    static FabricPolicy budget(FabricPolicy was, int percent) {
        return changed(was, next -> next.maxConcurrentPercent = percent);
    }

    static FabricPolicy massFailure(FabricPolicy was, int percent) {
        return changed(was, next -> next.massFailurePercent = percent);
    }

    public static FabricPolicy foreign(
            FabricPolicy was, FabricPolicy.ForeignCircuits foreign, Optional<FabricPolicy.Adoption> adopt) {
        return changed(was, next -> {
            next.foreignCircuits = foreign;
            next.adopt = adopt;
        });
    }

    /** Of a fabric on which a record stood. */
    public static FabricPolicy afterFirstContact(FabricPolicy was) {
        return changed(was, next -> next.adopted = true);
    }

    /** Devices of this epoch are accepted. */
    static FabricPolicy accepting(FabricPolicy was, long epoch) {
        return with(was, new Lineage(was.lineage().revision(), was.lineage().digest(), 0, epoch, 0));
    }

    /** What was told of the records, and what a person accepted. */
    static FabricPolicy with(FabricPolicy was, Lineage lineage) {
        return changed(was, next -> next.lineage = lineage);
    }

    /** What the jobs of a namespace may hold. */
    static FabricPolicy with(FabricPolicy was, Quota quota) {
        return changed(was, next -> next.quota = quota);
    }

    /** Waiting jobs take the place of jobs of lower priority. */
    static FabricPolicy preempting(FabricPolicy was) {
        return changed(was, next -> next.preemption = FabricPolicy.Preemption.LOWER_PRIORITY);
    }

    /** A stage has passed when this part of its links has. */
    static FabricPolicy passing(FabricPolicy was, int percent) {
        return changed(was, next -> next.minimumPassPercent = percent);
    }

    /** Ports whose light gets worse are taken out, or only told of. */
    static FabricPolicy watching(FabricPolicy was, HealthPolicy health) {
        return changed(was, next -> next.health = health);
    }

    /** Pods wait until a router has acknowledged the revision of their circuits. */
    static FabricPolicy awaitingRoutes(FabricPolicy was) {
        return changed(was, next -> next.awaitsRoutes = true);
    }

    /** Circuits are searched no longer than that. */
    static FabricPolicy searching(FabricPolicy was, Duration longest) {
        return changed(was, next -> next.longestSearch = longest);
    }
}

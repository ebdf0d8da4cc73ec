package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.StageProof;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.FabricPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which links of the stages before pass: an end of a link that is made passes when it has been seen lit since, and
 * loses no more than the policy allows. After a restart it is unknown what the last stage made, and nothing is waited
 * for.
 *
 * @param made whether the circuits of a link are there and at rest
 * @param dark whether no light is seen there, though it is made
 * @param device by name of the node or switch; null if its driver does not tell of it
 */
record StageLinks(
        FabricPolicy policy,
        Predicate<Subject.OfPort> made,
        Predicate<Subject.OfPort> dark,
        Function<String, @Nullable DeviceState> device) {

    /**
     * O(unproved ports).
     *
     * @param before the tracker of the pass before
     * @param now the tracker of this pass, with what is left to prove
     */
    @SuppressWarnings("ReferenceEquality")
    FaultTracker awaited(FaultTracker before, FaultTracker now, Instant at) {
        if (before.isFirstLook()) {
            return now.awaiting(
                    new StageProof(Set.of(), Optional.empty(), now.unproved().keySet()));
        }
        boolean allPass =
                (now.unproved() == before.unproved() || allPass(now.unproved().keySet()))
                        && allPass(before.unproved().keySet())
                        && allPass(now.stage().links())
                        && allPass(now.stage().overdue());
        if (allPass) {
            return now.awaiting(StageProof.NONE);
        }
        Set<Subject> fresh = new HashSet<>(before.unproved().keySet());
        fresh.addAll(now.unproved().keySet());
        fresh.removeIf(end -> !isMade(end));
        Set<Subject> failing = new HashSet<>(fresh);
        failing.addAll(now.stage().links());
        failing.addAll(now.stage().overdue());
        failing.removeIf(end -> !isMade(end) || passes(end));
        return now.awaiting(now.stage().advance(at, fresh, failing, policy.minimumPassPercent(), patience(policy)));
    }

    private boolean allPass(Set<Subject> ends) {
        for (Subject end : ends) {
            if (!passes(end) && isMade(end)) {
                return false;
            }
        }
        return true;
    }

    /** When the darkness of a link that was made counts as a fault. */
    static Duration patience(FabricPolicy policy) {
        return LinkUpGrace.PATIENCE.plus(policy.hold());
    }

    private boolean isMade(Subject end) {
        return end instanceof Subject.OfPort port && made.test(port);
    }

    private boolean passes(Subject end) {
        if (!(end instanceof Subject.OfPort port) || dark.test(port)) {
            return false;
        }
        DeviceState of = device.apply(port.device());
        return of == null || of.lossAbove(port.port(), policy.maximumLossDb()).isEmpty();
    }
}

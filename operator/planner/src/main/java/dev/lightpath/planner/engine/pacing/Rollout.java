package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.engine.pacing.Darkness.Cost;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Picks the next stage of the changes that are due on a fabric.
 *
 * <ul>
 *   <li>A stage has one cause: the most urgent of which any change fits into the disruption budget.
 *   <li>Of a cause come first the changes that darken nothing, then those that leave no more dark than was, then the
 *       rest.
 *   <li>A device that failed its last change is asked for all that is due on it, whatever the cause: what it fails
 *       again must not keep the rest from being tried. It comes after all others: it must not keep the budget or the
 *       other failure domain from them either.
 *   <li>Switches of two failure domains of one kind are not changed at once: {@link TouchedDomains}. Repairs that
 *   darken
 *       no light in use do not wait for that. If that alone holds up a cause, less urgent ones wait too. They would
 *       otherwise keep the other domain busy.
 *   <li>If no change of any cause fits, and nothing that is awaited makes room, the one change is made that leaves the
 *       least dark.
 * </ul>
 */
public final class Rollout {
    private final World world;
    private final FabricIntent intent;
    private final DisruptionBudget budget;
    private final TouchedDomains domains;
    private final SortedMap<DeviceId, DeviceChange> changes = new TreeMap<>();

    /** Whether a change of the cause that is tried would fit into the budget, and is left out for its domain alone. */
    private boolean waitsForDomain;

    private Rollout(World world, FabricIntent intent, DisruptionBudget budget) {
        this.world = world;
        this.intent = intent;
        this.budget = budget;
        this.domains = new TouchedDomains(intent, world.inFlight());
    }

    /**
     * O(due log due).
     *
     * @param due changes of devices at rest; several of one device become one
     * @param exchanging whether a slice gives up ports for another one: while records are being written nothing is
     *     taken down, because its own is not complete yet
     */
    public static Optional<Stage> next(
            World world,
            FabricIntent intent,
            ChangeFreeze freeze,
            DisruptionBudget budget,
            List<Due> due,
            boolean exchanging) {
        Rollout rollout = new Rollout(world, intent, budget);
        boolean onlyConnects = exchanging && !world.recording().isEmpty();
        List<Due> allowed = due.stream()
                .filter(freeze::allows)
                .filter(step -> !onlyConnects || step.change().disconnects().isEmpty())
                .toList();
        List<Cause> causes = allowed.stream()
                .map(Due::cause)
                .distinct()
                .sorted(Comparator.comparingInt(Rollout::urgency))
                .toList();
        for (Cause cause : causes) {
            rollout.within(
                    cause,
                    allowed.stream()
                            .filter(step -> step.cause() == cause || rollout.failedLast(step.change()))
                            .toList());
            if (!rollout.changes.isEmpty()) {
                return Optional.of(rollout.stage(cause));
            }
            if (rollout.waitsForDomain) {
                return Optional.empty();
            }
        }
        if (!budget.isFinal()) {
            return Optional.empty();
        }
        return causes.stream().findFirst().flatMap(cause -> {
            rollout.beyond(
                    allowed.stream().filter(step -> step.cause() == cause).toList());
            return rollout.changes.isEmpty() ? Optional.empty() : Optional.of(rollout.stage(cause));
        });
    }

    /** The lower the sooner. */
    private static int urgency(Cause cause) {
        return switch (cause) {
            case REPAIR -> 0;
            case PLACE -> 1;
            case COMPACT -> 2;
            case RELEASE -> 3;
            case CORRECT -> 4;
            case PROBE -> 5;
        };
    }

    private boolean failedLast(DeviceChange change) {
        return world.setbacks().containsKey(change.device());
    }

    /** The first failure is planned again at once. */
    private boolean failedTwice(DeviceChange change) {
        @Nullable Backoff backoff = world.setbacks().get(change.device());
        return backoff != null && backoff.count() > 1;
    }

    private Stage stage(Cause cause) {
        long revision = world.ledgerRevision(intent);
        return new Stage(world.nextStage(), intent.role(), cause, List.copyOf(changes.values()), revision);
    }

    private record Step(DeviceChange change, Cause cause, Cost cost) {}

    private List<Step> costed(List<Due> due) {
        List<Step> steps = new ArrayList<>();
        due.forEach(each -> steps.add(new Step(each.change(), each.cause(), budget.cost(each.change()))));
        return steps;
    }

    private void within(Cause cause, List<Due> due) {
        List<Step> steps = costed(due);
        steps.sort(Comparator.comparing((Step step) -> failedTwice(step.change()))
                .thenComparing(step -> step.cost().during() > 0)
                .thenComparing(step -> Math.max(0, step.cost().after()))
                .thenComparing(step -> step.cost().during()));
        for (Step step : steps) {
            // what was taken for an earlier step may have changed what this one costs
            Cost cost = budget.cost(step.change());
            if (!budget.allows(cost)) {
                continue;
            }
            if (staysInDomains(step, cost)) {
                take(step.change(), cost);
            } else {
                waitsForDomain |= step.cause() == cause;
            }
        }
    }

    private void beyond(List<Due> due) {
        costed(due).stream()
                .filter(step -> staysInDomains(step, step.cost()))
                .min(Comparator.comparing((Step step) -> failedTwice(step.change()))
                        .thenComparing(step -> step.cost().after())
                        .thenComparing(step -> step.cost().during()))
                .ifPresent(step -> take(step.change(), step.cost()));
    }

    /** A repair that darkens nothing waits for nobody: a device may take minutes to answer, and light is missing. */
    private boolean staysInDomains(Step step, Cost cost) {
        return step.cause() == Cause.REPAIR && cost.during() <= 0
                || domains.allow(step.change().device());
    }

    private void take(DeviceChange change, Cost cost) {
        changes.merge(change.device(), change, DeviceChange::and);
        budget.take(change, cost);
        domains.take(change.device());
    }
}

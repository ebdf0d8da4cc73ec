package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Picks the next stage on switches: one cause at a time, the most urgent that can do anything first; in it first what darkens
 * nothing, then what leaves no more dark than was, then the rest; and no more light in use dark at an instant than the
 * administrator allows, whatever made it dark: this stage, those under way, and those that are done while successors wait. A
 * device that is asked again after a failure is asked for all that is due on it, whatever the cause. Where nothing goes within the budget and nothing is under way, the one step that leaves the least dark is made all the same.
 */
final class OcsStaging {
    private final OcsScene scene;
    private final OcsDarkness darkness;
    private final int budget;
    private int dark;
    private final SortedMap<DeviceId, DeviceChange> changes = new TreeMap<>();

    private OcsStaging(OcsScene scene, OcsDarkness darkness, int budget) {
        this.scene = scene;
        this.darkness = darkness;
        this.budget = Math.max(1, budget);
        this.dark = darkness.now();
    }

    /**
     * O(due log due).
     *
     * @param budget circuits in use that may be dark at one time; at least one always may
     * @param due small steps, of devices at rest
     */
    static Optional<Stage> next(OcsScene scene, Halt halt, OcsDarkness darkness, int budget, List<Due> due) {
        OcsStaging staging = new OcsStaging(scene, darkness, budget);
        List<Due> allowed =
                due.stream().filter(step -> Staging.allows(halt, step)).toList();
        List<Cause> causes = allowed.stream()
                .map(Due::cause)
                .distinct()
                .sorted(Comparator.comparingInt(Staging::urgency))
                .toList();
        for (Cause cause : causes) {
            staging.within(allowed.stream()
                    .filter(step -> step.cause() == cause || staging.askedAgain(step))
                    .toList());
            if (!staging.changes.isEmpty()) {
                return Optional.of(staging.stage(cause));
            }
        }
        for (Cause cause : causes) {
            staging.beyond(
                    allowed.stream().filter(step -> step.cause() == cause).toList());
            if (!staging.changes.isEmpty()) {
                return Optional.of(staging.stage(cause));
            }
        }
        return Optional.empty();
    }

    /** Whether its device failed its last change: what it fails again must not keep what else is due on it from being tried. */
    private boolean askedAgain(Due step) {
        return scene.world().setbacks().containsKey(step.change().device());
    }

    private Stage stage(Cause cause) {
        return new Stage(
                scene.world().nextStage(),
                scene.intent().role(),
                cause,
                List.copyOf(changes.values()),
                scene.world()
                        .ledgerRevision(
                                scene.intent().name(), scene.intent().policy().lineage()));
    }

    private record Step(DeviceChange change, OcsDarkness.Cost cost) {}

    private List<Step> costed(List<Due> due) {
        List<Step> steps = new ArrayList<>();
        due.forEach(each -> steps.add(new Step(each.change(), darkness.of(each.change()))));
        return steps;
    }

    private void within(List<Due> due) {
        List<Step> steps = costed(due);
        steps.sort(Comparator.comparing((Step step) -> step.cost().during() > 0)
                .thenComparing(step -> Math.max(0, step.cost().after()))
                .thenComparing(step -> step.cost().during()));
        for (Step step : steps) {
            // what was taken for an earlier step may have changed what this one costs
            OcsDarkness.Cost cost = darkness.of(step.change());
            // the last of the budget is for steps that leave no more dark than was
            int reserve = cost.after() > 0 && dark > 0 ? 1 : 0;
            if (cost.during() <= 0 || dark + cost.during() + reserve <= budget) {
                take(step.change(), cost);
            }
        }
    }

    private void beyond(List<Due> due) {
        if (busy() || (dark > 0 && waiting())) {
            return;
        }
        costed(due).stream()
                .min(Comparator.comparingInt((Step step) -> step.cost().after())
                        .thenComparing(step -> step.cost().during()))
                .ifPresent(step -> take(step.change(), step.cost()));
    }

    private void take(DeviceChange change, OcsDarkness.Cost cost) {
        changes.merge(change.device(), change, DeviceChange::and);
        darkness.take(change);
        dark += cost.during();
    }

    /** Whether the outcome of anything on this fabric is awaited: it may make room. */
    private boolean busy() {
        return scene.intent().switches().values().stream()
                .filter(of -> scene.device(of).filter(state -> state.present()).isPresent())
                .map(OcsSwitch::device)
                .anyMatch(scene.world().locked()::contains);
    }

    /** Whether a device that failed its last change will be asked again: what is dark there may be lit then. */
    private boolean waiting() {
        return scene.intent().switches().values().stream()
                .map(OcsSwitch::device)
                .anyMatch(scene.world()::waits);
    }
}

package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.RingLight.Due;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Picks the next stage of what is due: one cause at a time, the most urgent first, and no more light under running pods
 * dark at one time than the administrator allows, but always at least one change.
 */
final class Staging {
    private Staging() {}

    static Optional<Stage> next(RingScene scene, Halt halt, List<Due> due) {
        List<Due> allowed =
                due.stream().filter(change -> allows(halt, change.cause())).toList();
        Optional<Cause> cause = allowed.stream().map(Due::cause).min(Comparator.comparingInt(Staging::urgency));
        if (cause.isEmpty()) {
            return Optional.empty();
        }
        int budget = budget(scene);
        int dark = darkUnderPods(scene);
        List<DeviceChange> changes = new ArrayList<>();
        for (Due change : allowed) {
            if (change.cause() != cause.get()) {
                continue;
            }
            if (change.underPods()) {
                int more = change.change().disconnects().size();
                if (dark > 0 && dark + more > budget) {
                    continue;
                }
                dark += more;
            }
            changes.add(change.change());
        }
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Stage(scene.world().nextStage(), scene.intent().role(), cause.get(), changes));
    }

    private static boolean allows(Halt halt, Cause cause) {
        return switch (halt) {
            case NONE -> true;
            case MASS_FAILURE, RETIRING -> cause == Cause.RELEASE;
            case ILLEGIBLE, PAUSED, AWAITING_ADOPTION, DRIVER_AWAY -> false;
        };
    }

    private static int urgency(Cause cause) {
        return switch (cause) {
            case REPAIR -> 0;
            case PLACE -> 1;
            case COMPACT -> 2;
            case RELEASE -> 3;
            case CORRECT -> 4;
        };
    }

    /** Circuits that may be dark at one time. */
    private static int budget(RingScene scene) {
        long lit = scene.driver().devices().values().stream()
                .filter(DeviceState::present)
                .mapToLong(device -> device.circuits().circuits().size())
                .sum();
        return (int) (lit * scene.intent().policy().maxConcurrentPercent() / 100);
    }

    /** Circuits that started stages are taking down on this fabric. */
    private static int darkUnderPods(RingScene scene) {
        return scene.world().inFlight().stream()
                .filter(stage -> stage.role().equals(scene.intent().role()))
                .flatMap(stage -> stage.changes().stream())
                .mapToInt(change -> change.disconnects().size())
                .sum();
    }
}

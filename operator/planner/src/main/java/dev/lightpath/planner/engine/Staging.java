package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Picks the next stage of what is due: one cause at a time, the most urgent first, and no more light under running pods
 * dark at one time than the administrator allows, but always at least one change.
 */
final class Staging {
    private Staging() {}

    static Optional<Stage> next(RingScene scene, Halt halt, List<Due> due) {
        if (due.isEmpty()) {
            return Optional.empty();
        }
        World world = scene.world();
        String role = scene.intent().role();
        long revision = world.ledgerRevision(
                scene.intent().name(), scene.intent().policy().lineage());
        long lit = lit(scene.driver().devices().values().stream());
        return next(world, role, halt, budget(lit, scene.intent().policy()), due, revision);
    }

    /**
     * Several changes of one device become one.
     *
     * @param budget circuits under pods that may be dark at one time
     * @param revision of the records that ask for it
     */
    private static Optional<Stage> next(World world, String role, Halt halt, int budget, List<Due> due, long revision) {
        List<Due> allowed = due.stream().filter(change -> allows(halt, change)).toList();
        Optional<Cause> cause = allowed.stream().map(Due::cause).min(Comparator.comparingInt(Staging::urgency));
        if (cause.isEmpty()) {
            return Optional.empty();
        }
        int dark = darkNow(world, role);
        SortedMap<DeviceId, DeviceChange> changes = new TreeMap<>();
        for (Due change : allowed) {
            if (change.cause() != cause.get()) {
                continue;
            }
            DeviceChange before = changes.get(change.change().device());
            DeviceChange after = before == null ? change.change() : before.and(change.change());
            if (change.underPods()) {
                int more = after.disconnects().size()
                        - (before == null ? 0 : before.disconnects().size());
                if (more > 0 && dark > 0 && dark + more > budget) {
                    continue;
                }
                dark += more;
            }
            changes.put(change.change().device(), after);
        }
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Stage(world.nextStage(), role, cause.get(), List.copyOf(changes.values()), revision));
    }

    /** What a mass failure interrupts stays as it is: a move that is half made would otherwise only lose its old light. */
    static boolean allows(Halt halt, Due due) {
        return switch (halt) {
            case NONE -> true;
            case MASS_FAILURE -> due.cause() == Cause.RELEASE && !due.remainder();
            case RETIRING -> due.cause() != Cause.CORRECT;
            case ILLEGIBLE, PAUSED, AWAITING_ADOPTION, NEWER_DEVICES, DRIVER_AWAY -> false;
        };
    }

    /** The lower the sooner. */
    static int urgency(Cause cause) {
        return switch (cause) {
            case REPAIR -> 0;
            case PLACE -> 1;
            case COMPACT -> 2;
            case RELEASE -> 3;
            case CORRECT -> 4;
        };
    }

    /** @param wakeAt when more becomes due by itself */
    static Agenda agenda(Halt halt, List<Due> due, Optional<Instant> wakeAt) {
        return new Agenda(
                devices(due.stream()),
                devices(due.stream().filter(change -> change.cause().bringsLight() && allows(halt, change))),
                wakeAt);
    }

    private static int devices(Stream<Due> due) {
        return Math.toIntExact(
                due.map(change -> change.change().device()).distinct().count());
    }

    /** Circuits that may be dark at one time. */
    static int budget(long lit, FabricPolicy policy) {
        return (int) (lit * policy.maxConcurrentPercent() / 100);
    }

    /** Circuits on devices that answer. */
    static long lit(Stream<DeviceState> devices) {
        return devices.filter(DeviceState::present)
                .mapToLong(device -> device.circuits().circuits().size())
                .sum();
    }

    /** Circuits that started stages are taking down on this fabric. */
    private static int darkNow(World world, String role) {
        return world.inFlight().stream()
                .filter(stage -> stage.role().equals(role))
                .flatMap(stage -> stage.changes().stream())
                .mapToInt(change -> change.disconnects().size())
                .sum();
    }
}

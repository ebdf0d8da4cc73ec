package dev.lightpath.app.publish.status;

import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What holds up a switch that is to be emptied. Jobs are counted: who reads switches may not read the jobs of all
 * namespaces.
 */
final class DrainedSwitch {
    private DrainedSwitch() {}

    /** Blank where all circuits on it may move as soon as there is room. O(slices). */
    static String waits(World world, String fabric, String opticalSwitch) {
        return Stream.of(
                        told(
                                jobs(world, fabric, opticalSwitch, Reconfiguration.AT_RESTART),
                                "keeps its circuits until its pods start anew (reconfiguration AtRestart)",
                                "keep their circuits until their pods start anew (reconfiguration AtRestart)"),
                        told(
                                jobs(world, fabric, opticalSwitch, Reconfiguration.NEVER),
                                "keeps its circuits until it ends (reconfiguration Never)",
                                "keep their circuits until they end (reconfiguration Never)"))
                .filter(words -> !words.isEmpty())
                .map(words -> "; " + words)
                .collect(Collectors.joining());
    }

    private static String told(long jobs, String one, String several) {
        return jobs == 0 ? "" : Counted.of(jobs, "job " + one, "jobs " + several);
    }

    private static long jobs(World world, String fabric, String opticalSwitch, Reconfiguration when) {
        return world.slices().values().stream()
                .filter(slice -> slice.fabric().equals(fabric)
                        && slice.reconfiguration() == when
                        // those of a torus follow from its shape: they move as repairs do
                        && !(slice.demand() instanceof Demand.TorusShape)
                        && (when == Reconfiguration.NEVER || !slice.workload().letsLightMove())
                        && isOn(world, slice, opticalSwitch))
                .map(SliceIntent::job)
                .distinct()
                .count();
    }

    private static boolean isOn(World world, SliceIntent slice, String opticalSwitch) {
        var entry = world.ledger().get(slice.id());
        return entry != null
                && entry.allocation()
                        .filter(recorded ->
                                !recorded.circuits().on(opticalSwitch).isEmpty())
                        .isPresent();
    }
}

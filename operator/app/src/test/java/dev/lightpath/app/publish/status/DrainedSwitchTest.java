package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DrainedSwitchTest {
    private final SortedMap<SliceId, SliceIntent> slices = new TreeMap<>();
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();

    @Test
    void saysHowManyJobsKeepTheirCircuitsAndForHowLong() {
        assertThat(waits()).isEmpty();
        slice("one", true, running(), "ocs-1");
        assertThat(waits())
                .isEqualTo("; 1 job keeps its circuits until its pods start anew (reconfiguration AtRestart)");
        slice("two", true, running(), "ocs-1");
        slice("three", false, running(), "ocs-1");
        assertThat(waits())
                .isEqualTo("; 2 jobs keep their circuits until their pods start anew (reconfiguration AtRestart)"
                        + "; 1 job keeps its circuits until it ends (reconfiguration Never)");
    }

    @Test
    void countsNoJobWhoseCircuitsMayMoveNowOrAreElsewhere() {
        slice("one", true, new Workload.Pods(new TreeSet<>(), false), "ocs-1");
        slice("two", true, running(), "ocs-2");
        assertThat(waits()).isEmpty();
    }

    /** They wait by recovery.replace, whatever reconfiguration says. */
    @Test
    void countsNoJobWithATorus() {
        Demand torus = new Demand.TorusShape(new Shape(4, 4, 8));
        slice("one", true, running(), "ocs-1", torus);
        slice("two", false, running(), "ocs-1", torus);
        assertThat(waits()).isEmpty();
    }

    private static Workload running() {
        return new Workload.Pods(new TreeSet<>(List.of("n0")), false);
    }

    private void slice(String job, boolean relocatable, Workload workload, String opticalSwitch) {
        slice(job, relocatable, workload, opticalSwitch, new Demand.ScaleUp(1, 8));
    }

    private void slice(String job, boolean relocatable, Workload workload, String opticalSwitch, Demand demand) {
        SliceId id = new SliceId("team", job);
        slices.put(
                id,
                new SliceIntent(
                        id,
                        new JobId("team", job, job),
                        1,
                        "spine",
                        demand,
                        0,
                        Scenes.NOW,
                        true,
                        workload,
                        new Replacement.Immediately(),
                        relocatable));
        ledger.put(
                id,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                1,
                                Scenes.seats(),
                                new TreeSet<>(),
                                Optional.empty(),
                                new SwitchedLight.Builder()
                                        .add(opticalSwitch, new Circuit("1", "2"))
                                        .build(),
                                SwitchedLight.none())),
                        "v1"));
    }

    private String waits() {
        return DrainedSwitch.waits(
                World.atRest(
                        Scenes.NOW,
                        new StageId(1, 1),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        slices,
                        ledger,
                        new TreeMap<>()),
                "spine",
                "ocs-1");
    }
}

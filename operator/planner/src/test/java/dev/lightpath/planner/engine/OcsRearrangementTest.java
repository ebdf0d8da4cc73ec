package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Many jobs in the same pods, all of which may have their light moved. */
class OcsRearrangementTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    private static Demand.Traffic traffic(int stages) {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, stages, 2, 1, 1), new Batch(8, 1, 4096, true), 1);
    }

    private static ToyOcs fabricFullOf(List<SliceId> jobs, int count) {
        ToyOcs ocs = ToyOcs.logical(16, 8, 8, DeviceKind.TWO_SIDED, 2);
        for (int job = 0; job < count; job++) {
            jobs.add(ocs.wishTraffic("job-" + job, traffic(2 + job % 3)));
            ocs.now = ocs.now.plusSeconds(1);
        }
        return ocs;
    }

    @Test
    void jobsWhosePodsHavePortsOnDifferentSwitchesFindRoom() {
        List<SliceId> jobs = new ArrayList<>();
        Deliberation rest = fabricFullOf(jobs, 12).settle();
        for (SliceId job : jobs) {
            assertThat(rest.slices().get(job).placement()).as("%s", job).isInstanceOf(Placement.Placed.class);
            assertThat(rest.slices().get(job).light().qualified()).as("%s", job).isTrue();
        }
    }

    @Test
    void nobodyGivesBackWhatANeighbourGivesAlready() {
        List<SliceId> jobs = new ArrayList<>();
        ToyOcs ocs = fabricFullOf(jobs, 12);
        ocs.settle();
        for (String name : List.copyOf(ocs.switches.keySet())) {
            ocs.fail(name, ocs.lit.get(name).first().ingress());
            ocs.settleAfter(HOLD);
            ocs.failedPorts.clear();
            ocs.settleAfter(Duration.ofSeconds(40));
        }
        assertThat(ocs.step().decision()).isInstanceOf(Decision.Rest.class);
    }

    /** What they left there is nobody's to take down, and stays on their records until the switch is back. */
    @Test
    void lightThatNeighboursLeftOnASilentSwitchKeepsNobodyFromRoom() {
        List<SliceId> jobs = new ArrayList<>();
        ToyOcs ocs = fabricFullOf(jobs, 11);
        ocs.settle();
        OcsSwitch empty = new OcsSwitch(
                "ocs-99",
                new DeviceId(ToyOcs.DRIVER, "device-99"),
                DeviceKind.TWO_SIDED,
                OptionalInt.empty(),
                List.of(),
                new TreeSet<>(),
                false);
        ocs.switches.put(empty.name(), empty);
        ocs.lit.put(empty.name(), new TreeSet<>());
        ocs.silent.add(empty.name());
        ocs.policy = Policies.massFailure(ocs.policy, 100);
        jobs.forEach(job -> leaves(ocs, job, empty.name()));
        SliceId last = ocs.wishTraffic("job-11", traffic(2 + 11 % 3));
        assertThat(ocs.settleAfter(HOLD).slices().get(last).placement()).isInstanceOf(Placement.Placed.class);
    }

    /** A record that gave up a circuit on a switch. */
    private static void leaves(ToyOcs ocs, SliceId job, String name) {
        LedgerEntry entry = ocs.ledger.get(job);
        Allocation was = entry.allocation().orElseThrow();
        SwitchedLight.Builder left = new SwitchedLight.Builder();
        left.add(name, new Circuit("1", "1002"));
        ocs.ledger.put(
                job,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision(),
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                was.circuits(),
                                was.darkening().and(left.build()),
                                was.prediction())),
                        entry.version()));
    }
}

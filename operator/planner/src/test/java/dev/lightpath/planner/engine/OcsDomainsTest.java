package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.pacing.DisruptionBudget;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.pacing.Rollout;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Domains;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Light is changed in one failure domain of a kind at a time, on a PolarFly of four switches and more. */
class OcsDomainsTest {
    private final ToyOcs ocs = ToyOcs.polarFly(3, 0);
    private final List<Set<DeviceId>> atOnce = new ArrayList<>();
    private final SortedMap<DeviceId, Backoff> failed = new TreeMap<>();
    private int darkens;

    OcsDomainsTest() {
        ocs.heard = (world, deliberation) -> deliberation.fabrics().keySet().forEach(fabric -> {
            if (deliberation.decision() instanceof Decision.Apply apply) {
                Set<DeviceId> devices = new TreeSet<>(apply.stage().devices());
                world.inFlight().stream().map(Stage::devices).forEach(devices::addAll);
                atOnce.add(devices);
            }
        });
    }

    private static Domains rack(String name) {
        return new Domains(Optional.empty(), Optional.empty(), Optional.of(name));
    }

    /** Writes what the switches share, one after the other. */
    private void share(Domains... all) {
        int number = 0;
        for (OcsSwitch of : List.copyOf(ocs.switches.values())) {
            ocs.switches.put(
                    of.name(),
                    new OcsSwitch(
                            of.name(),
                            of.device(),
                            of.kind(),
                            of.plane(),
                            of.wiring(),
                            of.reserved(),
                            of.drained(),
                            all[number++ % all.length]));
        }
    }

    private long mostAtOnce() {
        return atOnce.stream().mapToLong(Set::size).max().orElse(0);
    }

    private void allBurns() {
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        assertThat(ocs.light().isEmpty()).isFalse();
    }

    @Test
    void switchesOfWhichNothingIsSaidAreChangedTogether() {
        ocs.wishStatic(true).settle();
        allBurns();
        assertThat(mostAtOnce()).isEqualTo(ocs.switches.size());
    }

    @Test
    void noStageTouchesTwoRacks() {
        share(rack("r1"), rack("r2"));
        ocs.wishStatic(true).settle();
        allBurns();
        assertThat(mostAtOnce()).isEqualTo(ocs.switches.size() / 2);
        assertThat(atOnce).allMatch(this::isOfOneRack);
    }

    @Test
    void whatIsUnderWayCounts() {
        share(rack("r1"), rack("r2"));
        ocs.slow = true;
        ocs.wishStatic(true).settle();
        allBurns();
        assertThat(atOnce).isNotEmpty().allMatch(this::isOfOneRack);
    }

    @Test
    void switchesThatShareAnotherKindOnlyAreApart() {
        Domains power = new Domains(Optional.of("a"), Optional.empty(), Optional.empty());
        share(rack("r1"), power);
        ocs.wishStatic(true).settle();
        allBurns();
        assertThat(mostAtOnce()).isEqualTo(ocs.switches.size());
    }

    @Test
    void lessUrgentWorkOfTheSameRackDoesNotKeepTheNextRackWaiting() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        List<Due> due = List.of(due(2, Cause.PLACE), due(0, Cause.RELEASE));
        assertThat(next(List.of(1), due)).isEmpty();
        assertThat(next(List.of(), due).map(Stage::cause)).contains(Cause.PLACE);
    }

    @Test
    void whatFitsInThisRackIsNotKeptWaiting() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        List<Due> due = List.of(due(2, Cause.PLACE), due(0, Cause.PLACE));
        assertThat(next(List.of(1), due).map(Stage::devices)).contains(new TreeSet<>(Set.of(device(0))));
    }

    @Test
    void aRepairThatDarkensNothingWaitsForNoRack() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        List<Due> due = List.of(due(2, Cause.REPAIR), due(0, Cause.PLACE));
        Optional<Stage> next = next(List.of(1), due);
        assertThat(next.map(Stage::cause)).contains(Cause.REPAIR);
        assertThat(next.map(Stage::devices)).contains(new TreeSet<>(Set.of(device(2))));
    }

    @Test
    void aRepairThatDarkensLightInUseWaitsForTheOtherRack() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        darkens = 1;
        assertThat(next(List.of(1), List.of(due(2, Cause.REPAIR)))).isEmpty();
        assertThat(next(List.of(), List.of(due(2, Cause.REPAIR)))).isPresent();
    }

    @Test
    void otherChangesWaitForARepairInAnotherRack() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        assertThat(next(List.of(), List.of(due(0, Cause.REPAIR), due(2, Cause.REPAIR)))
                        .map(Stage::devices))
                .contains(new TreeSet<>(Set.of(device(0), device(2))));
        assertThat(next(List.of(0), List.of(due(2, Cause.PLACE)))).isEmpty();
    }

    /** Several that fail and are asked again in turn would be due for ever. */
    @Test
    void switchesThatFailAgainDoNotKeepTheOtherRackWaiting() {
        share(rack("r1"), rack("r1"), rack("r2"), rack("r2"));
        failed.put(device(0), new Backoff(Reason.REJECTED, "no", ocs.now, 2));
        for (Cause cause : List.of(Cause.PLACE, Cause.RELEASE)) {
            assertThat(next(List.of(), List.of(due(0, cause), due(2, Cause.PLACE)))
                            .map(Stage::devices))
                    .as("what failed is due to %s", cause)
                    .contains(new TreeSet<>(Set.of(device(2))));
        }
        assertThat(next(List.of(), List.of(due(0, Cause.PLACE))).map(Stage::devices))
                .as("nothing else is due")
                .contains(new TreeSet<>(Set.of(device(0))));
    }

    private DeviceId device(int number) {
        return List.copyOf(ocs.switches.values()).get(number).device();
    }

    private Due due(int number, Cause cause) {
        DeviceChange up = new DeviceChange(
                device(number), "digest", new TreeSet<>(), new TreeSet<>(List.of(new Circuit("1", "2"))));
        return new Due(up, cause, Optional.empty(), true, false);
    }

    /** The next stage while some switches are being changed. */
    private Optional<Stage> next(List<Integer> underWay, List<Due> due) {
        World now = ocs.world();
        List<Stage> stages = underWay.stream()
                .map(number -> new Stage(
                        new StageId(7, 1),
                        "role",
                        Cause.PLACE,
                        List.of(due(number, Cause.PLACE).change())))
                .toList();
        World world = Scene.like(now)
                .underWay(stages, now.recording(), now.unsettled(), failed)
                .world();
        Darkness none = new Darkness() {
            @Override
            public int now() {
                return 0;
            }

            @Override
            public Cost of(DeviceChange change) {
                return new Cost(darkens, 0);
            }

            @Override
            public void take(DeviceChange change) {}

            @Override
            public boolean maySubside() {
                return false;
            }
        };
        return Rollout.next(
                world,
                world.ocsFabrics().values().iterator().next(),
                ChangeFreeze.NONE,
                new DisruptionBudget(1, 100, none, false),
                due,
                false);
    }

    private boolean isOfOneRack(Set<DeviceId> devices) {
        return ocs.switches.values().stream()
                        .filter(of -> devices.contains(of.device()))
                        .map(of -> of.domains().rack())
                        .distinct()
                        .count()
                == 1;
    }
}

package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which of the due changes come next, of devices a to d whose changes cost what a test says. */
class RolloutTest {
    private final ToyRing ring = ToyRing.of(8, 2);
    private final Map<String, Darkness.Cost> costs = new HashMap<>();
    private ChangeFreeze freeze = ChangeFreeze.NONE;
    private SortedMap<SliceId, Allocation> recording = new TreeMap<>();
    private SortedMap<DeviceId, Backoff> setbacks = new TreeMap<>();
    private boolean subsides;
    private boolean exchanging;
    private int most = 1;

    private static DeviceId device(String name) {
        return new DeviceId(ToyRing.DRIVER, name);
    }

    private static Due due(String device, Cause cause, boolean remainder) {
        SortedSet<Circuit> down = new TreeSet<>(List.of(new Circuit("1", "2")));
        return new Due(
                new DeviceChange(device(device), "digest", down, new TreeSet<>()),
                cause,
                Optional.empty(),
                true,
                remainder);
    }

    private static Due due(String device, Cause cause) {
        return due(device, cause, false);
    }

    private static Due lights(String device, Cause cause) {
        SortedSet<Circuit> up = new TreeSet<>(List.of(new Circuit("1", "2")));
        return new Due(
                new DeviceChange(device(device), "digest", new TreeSet<>(), up), cause, Optional.empty(), true, false);
    }

    private void cost(String device, int during, int after) {
        costs.put(device, new Darkness.Cost(during, after));
    }

    /** The next stage. */
    private Optional<Stage> next(Due... due) {
        World now = ring.world();
        World world = Scene.like(now)
                .underWay(now.inFlight(), recording, now.unsettled(), setbacks)
                .world();
        Darkness darkness = new Darkness() {
            @Override
            public int now() {
                return 0;
            }

            @Override
            public Cost of(DeviceChange change) {
                return costs.getOrDefault(change.device().device(), new Cost(0, 0));
            }

            @Override
            public void take(DeviceChange change) {}

            @Override
            public boolean maySubside() {
                return subsides;
            }
        };
        return Rollout.next(
                world,
                world.rings().get("ring-a"),
                freeze,
                new DisruptionBudget(most, 100, darkness, false),
                List.of(due),
                exchanging);
    }

    private static List<String> devices(Optional<Stage> stage) {
        return stage.map(of -> of.devices().stream().map(DeviceId::device).toList())
                .orElse(List.of());
    }

    @Test
    void aStageHasTheMostUrgentCause() {
        List<Cause> order = List.of(Cause.REPAIR, Cause.PLACE, Cause.COMPACT, Cause.RELEASE, Cause.CORRECT);
        for (int first = 0; first + 1 < order.size(); first++) {
            Stage stage = next(due("b", order.get(first + 1)), due("a", order.get(first)))
                    .orElseThrow();
            assertThat(stage.cause()).isEqualTo(order.get(first));
            assertThat(devices(Optional.of(stage))).containsExactly("a");
        }
    }

    @Test
    void nothingIsNextWhereNothingIsDue() {
        assertThat(next()).isEmpty();
    }

    @Test
    void aLessUrgentCauseComesFirstWhereNothingOfTheOtherFits() {
        cost("a", 2, 2);
        Stage stage = next(due("a", Cause.REPAIR), due("b", Cause.CORRECT)).orElseThrow();
        assertThat(stage.cause()).isEqualTo(Cause.CORRECT);
        assertThat(devices(Optional.of(stage))).containsExactly("b");
    }

    @Test
    void theBudgetGoesToWhatLeavesTheLeastDark() {
        cost("a", 1, 1);
        cost("b", 1, 0);
        cost("c", 0, 0);
        assertThat(devices(next(due("a", Cause.PLACE), due("b", Cause.PLACE), due("c", Cause.PLACE))))
                .containsExactly("b", "c");
    }

    @Test
    void whereNothingFitsTheOneChangeIsMadeThatLeavesTheLeastDark() {
        cost("a", 4, 3);
        cost("b", 4, 2);
        cost("c", 3, 2);
        cost("d", 2, 3);
        Due[] all = {
            due("a", Cause.REPAIR), due("b", Cause.REPAIR), due("c", Cause.REPAIR), due("d", Cause.REPAIR),
        };
        assertThat(devices(next(all))).containsExactly("c");
        subsides = true;
        assertThat(next(all)).isEmpty();
    }

    @Test
    void beyondTheBudgetTheMostUrgentCauseComesFirstThoughAnotherLeavesLessDark() {
        cost("a", 3, 3);
        cost("b", 2, 1);
        Stage stage = next(due("b", Cause.CORRECT), due("a", Cause.REPAIR)).orElseThrow();
        assertThat(stage.cause()).isEqualTo(Cause.REPAIR);
        assertThat(devices(Optional.of(stage))).containsExactly("a");
    }

    @Test
    void ofThoseThatLeaveNoMoreDarkTheLeastGoFirst() {
        most = 2;
        cost("a", 2, 0);
        cost("b", 1, 0);
        cost("c", 1, 0);
        assertThat(devices(next(due("a", Cause.PLACE), due("b", Cause.PLACE), due("c", Cause.PLACE))))
                .containsExactly("b", "c");
    }

    @Test
    void aDeviceThatFailedIsAskedForAllThatIsDueOnIt() {
        setbacks.put(
                device("a"), new Backoff(Reason.REJECTED, "no", ring.world().now(), 1));
        Stage stage = next(due("a", Cause.RELEASE), due("b", Cause.RELEASE), due("c", Cause.REPAIR))
                .orElseThrow();
        assertThat(stage.cause()).isEqualTo(Cause.REPAIR);
        assertThat(devices(Optional.of(stage))).containsExactly("a", "c");
    }

    @Test
    void nothingIsTakenDownForAnExchangeWhileRecordsAreBeingWritten() {
        exchanging = true;
        Due[] both = {due("a", Cause.PLACE), lights("b", Cause.PLACE)};
        assertThat(devices(next(both))).containsExactly("a", "b");
        recording.put(new SliceId("team", "x"), new Allocation(1, List.of(), new TreeSet<>()));
        assertThat(devices(next(both))).containsExactly("b");
        exchanging = false;
        assertThat(devices(next(both))).containsExactly("a", "b");
    }

    @Test
    void aMassFailureOnlyReleasesWhatNoMoveLeftHalfMade() {
        freeze = ChangeFreeze.MASS_FAILURE;
        assertThat(devices(next(
                        due("a", Cause.RELEASE),
                        due("b", Cause.RELEASE, true),
                        due("c", Cause.REPAIR),
                        due("d", Cause.CORRECT))))
                .containsExactly("a");
    }

    @Test
    void aFabricThatIsBeingDeletedMakesEverythingButCorrections() {
        freeze = ChangeFreeze.RETIRING;
        assertThat(devices(next(due("a", Cause.CORRECT)))).isEmpty();
        assertThat(devices(next(due("a", Cause.CORRECT), due("b", Cause.PLACE))))
                .containsExactly("b");
    }

    @Test
    void whatIsFrozenChangesNothing() {
        for (ChangeFreeze each : List.of(
                ChangeFreeze.UNREADABLE_RECORD,
                ChangeFreeze.PAUSED,
                ChangeFreeze.AWAITING_ADOPTION,
                ChangeFreeze.NEWER_DEVICES,
                ChangeFreeze.DRIVER_AWAY)) {
            freeze = each;
            assertThat(next(due("a", Cause.RELEASE), due("b", Cause.REPAIR))).isEmpty();
        }
    }
}

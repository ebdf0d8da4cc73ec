package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RepairClockTest {
    private static final SliceId SLICE = new SliceId("team", "a");
    private static final SliceId OTHER = new SliceId("team", "b");
    private static final StageId STAGE = new StageId(1, 1);

    private final RepairClock clock = new RepairClock();

    @Test
    void countsFromTheNewsToTheLastAcknowledgementWithoutSwitchingTime() {
        clock.decided(world(1), adopt(2), 1_000_000);
        clock.decided(world(2), apply(Stage.Cause.REPAIR), 5_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ofMillis(3)), false, 8_000_000))
                .isEmpty();
        assertThat(clock.answered(STAGE, applied(Duration.ofMillis(2)), true, 11_000_000))
                .contains(Duration.ofMillis(7));
    }

    @Test
    void doesNotCountWhatWasRefused() {
        clock.decided(world(1), apply(Stage.Cause.REPAIR), 1_000_000);
        assertThat(clock.answered(STAGE, new ChangeOutcome.Indeterminate("no answer"), true, 2_000_000))
                .isEmpty();
    }

    @Test
    void takesStrikingReleasedNodesOffTheRecordForNoRepair() {
        clock.decided(world(2), adopt(2), 1_000_000);
        clock.decided(world(2), apply(Stage.Cause.REPAIR), 5_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ZERO), true, 6_000_000))
                .contains(Duration.ofMillis(1));
    }

    @Test
    void takesMakingRoomForNoRepair() {
        Allocation moved = new Allocation(
                2,
                allocation(2).groups(),
                new TreeSet<>(),
                Optional.of(new Origin(Origin.Planner.COMPACTION, 12, "makes room")));
        clock.decided(
                world(1),
                new Decision.Adopt(List.of(new Decision.Adopt.Entry(SLICE, "v1", moved)), new TreeSet<>()),
                1_000_000);
        clock.decided(world(2), apply(Stage.Cause.REPAIR), 50_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ZERO), true, 52_000_000))
                .contains(Duration.ofMillis(2));
    }

    /** Records of one pass are written one after the other, and the light of each begins once it is written. */
    @Test
    void countsALaterRepairOfOneFaultFromTheSameNews() {
        StageId next = new StageId(1, 2);
        clock.decided(
                world(1),
                new Decision.Adopt(
                        List.of(
                                new Decision.Adopt.Entry(SLICE, "v1", allocation(2)),
                                new Decision.Adopt.Entry(OTHER, "v1", allocation(2))),
                        new TreeSet<>()),
                1_000_000);
        clock.decided(recording(world(1), OTHER, allocation(2)), apply(Stage.Cause.REPAIR), 5_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ZERO), true, 6_000_000))
                .contains(Duration.ofMillis(5));
        assertThat(clock.underWay()).as("the other record is being written").isTrue();
        clock.decided(world(2), apply(next, Stage.Cause.REPAIR, OTHER), 8_000_000);
        assertThat(clock.answered(next, applied(Duration.ZERO), true, 9_000_000))
                .contains(Duration.ofMillis(8));
        assertThat(clock.underWay()).isFalse();
    }

    /** Its job was deleted, or its record was refused and is not needed any more. */
    @Test
    void aRepairThatNoStageCarriesOutIsNotTheBeginningOfTheNextOne() {
        Decision rest = new Decision.Rest(Optional.empty());
        clock.decided(world(1), adopt(2), 1_000_000);
        clock.decided(recording(world(1), SLICE, allocation(1)), rest, 2_000_000);
        assertThat(clock.underWay()).as("its record is being written").isTrue();
        clock.decided(world(1), rest, 3_000_000);
        assertThat(clock.underWay()).isFalse();
        long dayLater = Duration.ofDays(1).toNanos();
        clock.decided(world(2), adopt(3), dayLater);
        clock.decided(world(3), apply(Stage.Cause.REPAIR), dayLater + 1_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ZERO), true, dayLater + 5_000_000))
                .contains(Duration.ofMillis(5));
    }

    /** A switch may take a minute, or not answer at all. */
    @Test
    void aRepairThatTakesLongWasNotBegunLately() {
        assertThat(clock.begunLately(0)).isFalse();
        clock.decided(world(1), adopt(2), 1_000_000);
        assertThat(clock.begunLately(1_000_000)).isTrue();
        clock.decided(world(2), apply(Stage.Cause.REPAIR), 5_000_000);
        assertThat(clock.begunLately(Duration.ofSeconds(5).toNanos())).isTrue();
        assertThat(clock.begunLately(Duration.ofSeconds(6).toNanos())).isFalse();
        assertThat(clock.underWay()).isTrue();
    }

    /** Others are recorded and carried out all the time: no pass has nothing to do. */
    @Test
    void aRepairWhoseRecordIsRefusedAndWaitsIsNotUnderWay() {
        Decision other = apply(Stage.Cause.PLACE);
        clock.decided(world(1), adopt(2), 1_000_000);
        clock.decided(refusing(world(1), SLICE, 0), other, 2_000_000);
        assertThat(clock.underWay()).as("it is tried again at once").isTrue();
        clock.decided(refusing(world(1), SLICE, 1), other, 3_000_000);
        assertThat(clock.underWay()).isFalse();
    }

    private static World refusing(World like, SliceId slice, int seconds) {
        Backoff setback = new Backoff(Reason.REJECTED, "policy", like.now().plusSeconds(seconds), 2);
        return with(like, new TreeMap<>(), new TreeMap<>(Map.of(slice, setback)));
    }

    private static World recording(World like, SliceId slice, Allocation written) {
        return with(like, new TreeMap<>(Map.of(slice, written)), like.refused());
    }

    private static World with(
            World like, SortedMap<SliceId, Allocation> recording, SortedMap<SliceId, Backoff> refused) {
        return new World(
                like.now(),
                like.nextStage(),
                like.rings(),
                like.slices(),
                like.ledger(),
                like.drivers(),
                like.inFlight(),
                recording,
                refused,
                like.unsettled(),
                like.observing(),
                like.setbacks(),
                like.faults(),
                like.unreadable(),
                like.ocsFabrics(),
                like.answers(),
                like.remembered(),
                like.discoveries(),
                like.lineages());
    }

    /** It was given up, or could not be started. */
    @Test
    void aStageThatIsNotWaitedForAnyMoreIsNoRepairUnderWay() {
        clock.decided(world(1), adopt(2), 1_000_000);
        clock.decided(world(2), apply(Stage.Cause.REPAIR), 5_000_000);
        clock.keep(STAGE::equals);
        assertThat(clock.underWay()).isTrue();
        clock.keep(stage -> false);
        assertThat(clock.underWay()).isFalse();
    }

    @Test
    void takesPlacingForNoRepair() {
        clock.decided(world(1), apply(Stage.Cause.PLACE), 1_000_000);
        assertThat(clock.answered(STAGE, applied(Duration.ZERO), true, 2_000_000))
                .isEmpty();
    }

    private static ChangeOutcome applied(Duration switching) {
        return new ChangeOutcome.Applied("digest", switching);
    }

    private static Allocation allocation(long revision) {
        return new Allocation(
                revision, List.of(new Allocation.Group(List.of(new Allocation.Member("n0", 0)))), new TreeSet<>());
    }

    private static Decision adopt(long revision) {
        return new Decision.Adopt(
                List.of(new Decision.Adopt.Entry(SLICE, "v1", allocation(revision))), new TreeSet<>());
    }

    private static Decision apply(Stage.Cause cause) {
        return apply(STAGE, cause, SLICE);
    }

    private static Decision apply(StageId stage, Stage.Cause cause, SliceId slice) {
        DeviceChange change = new DeviceChange(
                new DeviceId("driver:1", "n0"),
                "digest",
                new TreeSet<>(),
                new TreeSet<>(List.of(new Circuit("b0.common", "b0.loop"))));
        return new Decision.Apply(
                new Stage(stage, "role", cause, List.of(change)), new TreeSet<>(List.of(slice)), new TreeSet<>());
    }

    private static World world(long revision) {
        return World.atRest(
                Instant.EPOCH,
                STAGE,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(Map.of(
                        SLICE, new LedgerEntry(Optional.of(allocation(revision)), "v1"),
                        OTHER, new LedgerEntry(Optional.of(allocation(revision)), "v1"))),
                new TreeMap<>());
    }
}

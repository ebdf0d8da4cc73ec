package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job that asks to be asked is told before its light moves on purpose, and its light waits for the answer. */
class AnnouncedMovesTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Workload RUNNING = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);

    private final ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
    private final SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo(), 0, true, RUNNING);
    private SwitchedLight before = SwitchedLight.none();

    /** A switch is drained under a running job that lets its light move. */
    private Deliberation drained() {
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .reconfiguration(Reconfiguration.LIVE)
                        .agreement(Optional.of(Agreement.within(LIMIT)))
                        .build());
        ocs.settle();
        before = ocs.light();
        ocs.wiring.drain("ocs-00");
        return ocs.settleAfter(HOLD);
    }

    private void agrees(long revision) {
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .agreement(Optional.of(Agreement.within(LIMIT).to(revision)))
                        .build());
    }

    private Allocation recorded() {
        return ocs.ledger.get(job).allocation().orElseThrow();
    }

    private Announcement announced() {
        return recorded().announcement().orElseThrow();
    }

    private Kind answer() {
        return announced().answer().orElseThrow().kind();
    }

    /** Of its old circuits, those that burn. */
    private int left() {
        return before.minus(before.minus(ocs.light())).size();
    }

    @Test
    void lightOnADrainedSwitchStaysUntilTheJobAgrees() {
        Deliberation waits = drained();
        assertThat(announced().open()).isTrue();
        assertThat(announced().until()).isEqualTo(announced().at().plus(LIMIT));
        assertThat(left()).as("nothing of its light went").isEqualTo(before.size());
        assertThat(waits.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(waits.decision())
                .isEqualTo(new Decision.Rest(Optional.of(announced().until())));
        agrees(announced().revision());
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.AGREED);
        assertThat(ocs.light().on("ocs-00")).isEmpty();
        assertThat(ocs.light()).isEqualTo(recorded().circuits());
    }

    @Test
    void theAnswerIsRecordedBeforeAnythingMoves() {
        drained();
        agrees(announced().revision());
        assertThat(ocs.step().decision()).isInstanceOf(Decision.Adopt.class);
        assertThat(left()).isEqualTo(before.size());
        assertThat(answer()).isEqualTo(Kind.AGREED);
    }

    @Test
    void aJobThatNeverAnswersIsWaitedForUpToItsLimit() {
        drained();
        ocs.now = announced().until().minusMillis(1);
        ocs.settle();
        assertThat(left()).isEqualTo(before.size());
        ocs.now = announced().until();
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.LIMIT_PASSED);
        assertThat(ocs.light()).isEqualTo(recorded().circuits());
    }

    @Test
    void aRestartKeepsTheLimit() {
        drained();
        Instant until = announced().until();
        ocs.now = until.minusSeconds(10);
        ocs.restart();
        ocs.settle();
        assertThat(left()).isEqualTo(before.size());
        ocs.now = until;
        ocs.restart();
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.LIMIT_PASSED);
    }

    @Test
    void aTermThatBeginsBeforeAnyDeviceIsHeardKeepsAnnouncementAndAnswer() {
        drained();
        Announcement asked = announced();
        ocs.restart();
        ocs.unheard = true;
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.step();
        ocs.step();
        assertThat(announced()).isEqualTo(asked);
        agrees(asked.revision());
        ocs.step();
        ocs.step();
        assertThat(announced().answer().map(Announcement.Answer::kind)).isNotEqualTo(Optional.of(Kind.NOT_NEEDED));
        ocs.unheard = false;
        ocs.contact = DriverState.Contact.SYNCED;
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.AGREED);
        assertThat(ocs.light()).isEqualTo(recorded().circuits());
    }

    @Test
    void anAnswerToAnotherRevisionCountsForNothing() {
        drained();
        for (long other : List.of(announced().revision() - 1, announced().revision() + 1)) {
            agrees(other);
            ocs.settle();
            assertThat(announced().open()).isTrue();
            assertThat(left()).isEqualTo(before.size());
        }
    }

    @Test
    void itsOwnLossNeverWaits() {
        drained();
        agrees(announced().revision());
        ocs.settle();
        long revision = recorded().revision();
        String lost = recorded().circuits().circuits().lastKey();
        ocs.fail(lost, recorded().circuits().on(lost).iterator().next().ingress());
        ocs.settleAfter(HOLD);
        assertThat(recorded().revision()).isGreaterThan(revision);
        assertThat(recorded().announcement()).isEmpty();
        assertThat(ocs.light()).isEqualTo(recorded().circuits());
    }

    @Test
    void aLossWhileItIsAskedEndsTheWaiting() {
        drained();
        String lost = before.circuits().lastKey();
        ocs.fail(lost, before.on(lost).iterator().next().ingress());
        ocs.settleAfter(HOLD);
        assertThat(recorded().awaitsAnswer()).isFalse();
        assertThat(ocs.light().on("ocs-00")).isEmpty();
    }

    @Test
    void aCircuitThatForeignLightKeepsOutDoesNotHoldUpTheNextMove() {
        drained();
        Announcement first = announced();
        agrees(first.revision());
        ocs.settle();
        String name = recorded().circuits().circuits().firstKey();
        Circuit missing = recorded().circuits().on(name).iterator().next();
        ocs.lit.get(name).remove(missing);
        ocs.lit.get(name).add(new Circuit(missing.ingress(), "1099"));
        ocs.settleAfter(HOLD);
        assertThat(ocs.light().on(name)).doesNotContain(missing);
        ocs.wiring.drain(before.circuits().lastKey());
        ocs.settleAfter(HOLD);
        assertThat(announced().revision()).isGreaterThan(first.revision());
    }

    @Test
    void podsThatStopEndTheWaiting() {
        drained();
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .workload(new Workload.Pods(new TreeSet<>(), true))
                        .build());
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.NOT_NEEDED);
        assertThat(ocs.light()).isEqualTo(recorded().circuits());
    }

    @Test
    void aLaterMoveIsAnnouncedOnceTheFirstIsDoneAndHasItsOwnLimit() {
        drained();
        Announcement first = announced();
        ocs.now = ocs.now.plusSeconds(60);
        ocs.wiring.drain("ocs-01");
        ocs.settleAfter(HOLD);
        assertThat(announced()).isEqualTo(first);
        agrees(first.revision());
        ocs.settle();
        assertThat(ocs.light().on("ocs-00")).isEmpty();
        assertThat(announced().open()).isTrue();
        assertThat(announced().revision()).isGreaterThan(first.revision());
        assertThat(announced().until()).isEqualTo(announced().at().plus(LIMIT)).isAfter(first.until());
    }

    /** Hours later is not the moment that it agreed to. */
    @Test
    void aJobThatAgreedBeforeItsFabricWasPausedIsAskedAgainAfterwards() {
        drained();
        Announcement first = announced();
        ocs.paused = true;
        agrees(first.revision());
        ocs.settle();
        assertThat(left()).isEqualTo(before.size());
        assertThat(answer()).isEqualTo(Kind.NOT_NEEDED);
        ocs.now = ocs.now.plusSeconds(10_000);
        ocs.settle();
        ocs.paused = false;
        ocs.settle();
        assertThat(left()).isEqualTo(before.size());
        assertThat(announced().open()).isTrue();
        assertThat(announced().revision()).isGreaterThan(first.revision());
        assertThat(announced().until()).isEqualTo(announced().at().plus(LIMIT));
        agrees(announced().revision());
        ocs.settle();
        assertThat(answer()).isEqualTo(Kind.AGREED);
        assertThat(ocs.light().on("ocs-00")).isEmpty();
    }

    @Test
    void theLightOfNowIsRecordedUntilTheJobAgrees() {
        drained();
        assertThat(recorded().circuits()).isEqualTo(before);
        assertThat(recorded().darkening().isEmpty()).isTrue();
        assertThat(recorded().awaited().orElseThrow().circuits().on("ocs-00")).isEmpty();
    }

    @Test
    void othersPlanOnOtherPortsThanThoseOfLightThatStays() {
        drained();
        SliceId other = ocs.wishTraffic("other", ToyOcs.twoByTwo(), 0, true, new Workload.LightOnly());
        Deliberation settled = ocs.settleAfter(HOLD);
        assertThat(left()).isEqualTo(before.size());
        if (settled.slices().get(other).placement() instanceof Placement.Placed) {
            assertThat(settled.slices().get(other).light().programmed()).isTrue();
        }
    }

    @Test
    void aJobThatWasRepairedIsAskedAgain() {
        itsOwnLossNeverWaits();
        before = ocs.light();
        ocs.wiring.drain("ocs-01");
        ocs.settleAfter(HOLD);
        assertThat(announced().open()).isTrue();
        assertThat(left()).isEqualTo(before.size());
    }

    @Test
    void podsThatAllEndAreNotAsked() {
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .reconfiguration(Reconfiguration.LIVE)
                        .agreement(Optional.of(Agreement.within(LIMIT)))
                        .workload(new Workload.Pods(new TreeSet<>(List.of("node-0-0")), true))
                        .build());
        ocs.settle();
        ocs.wiring.drain("ocs-00");
        ocs.settleAfter(HOLD);
        assertThat(recorded().announcement()).isEmpty();
        assertThat(ocs.light().on("ocs-00")).isEmpty();
    }

    @Test
    void anAnswerFromBeforeARecordWasLostAgreesToNothing() {
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .reconfiguration(Reconfiguration.LIVE)
                        .agreement(Optional.of(Agreement.within(LIMIT).to(2).to(7)))
                        .build());
        ocs.settle();
        before = ocs.light();
        ocs.wiring.drain("ocs-00");
        ocs.settleAfter(HOLD);
        assertThat(announced().revision()).isGreaterThan(7);
        assertThat(left()).isEqualTo(before.size());
    }

    @Test
    void whoDoesNotAskIsNotAsked() {
        ocs.slices.put(
                job,
                ocs.slices.get(job).but().reconfiguration(Reconfiguration.LIVE).build());
        ocs.settle();
        ocs.wiring.drain("ocs-00");
        ocs.settleAfter(HOLD);
        assertThat(recorded().announcement()).isEmpty();
        assertThat(ocs.light().on("ocs-00")).isEmpty();
    }

    /** A job of two groups whose nodes lose a loopback each: one group finds a spare, the other does not. */
    private static ToyRing halfBroken(SliceId pair) {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 9, 2, 4));
        ring.policy = Policies.massFailure(Policies.budget(ring.policy, 100), 100);
        ring.reconfiguration = Reconfiguration.NEVER;
        ring.sits("pair", new int[] {0, 1}, new int[] {5, 6});
        ring.sits("other", new int[] {2, 3, 4});
        ring.settle();
        ring.amend(pair, true, new Workload.Pods(new TreeSet<>(List.of("n0", "n1", "n5", "n6")), false), false);
        ring.slices.computeIfPresent(pair, (id, slice) -> slice.asking(Agreement.within(LIMIT)));
        for (String node : List.of("n0", "n6")) {
            ring.failedPorts.put(node, new TreeMap<>(Map.of("b0.loop", "PortFailed", "b1.loop", "PortFailed")));
        }
        return ring;
    }

    @Test
    void aFailedLoopbackIsALossThatNeverWaits() {
        SliceId pair = new SliceId("team", "pair");
        ToyRing ring = halfBroken(pair);
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        ring.settle();
        Allocation repaired = ring.ledger.get(pair).allocation().orElseThrow();
        assertThat(repaired.announcement()).isEmpty();
        assertThat(repaired.nodes()).contains("n7", "n8");
    }
}

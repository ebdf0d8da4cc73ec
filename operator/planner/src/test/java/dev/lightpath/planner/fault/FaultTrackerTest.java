package dev.lightpath.planner.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultTrackerTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Subject NODE = new Subject.OfNode("n1");
    private static final Subject PORT = new Subject.OfPort("n1", "b0.path1");
    private static final FaultTracker.Policy POLICY = FaultTracker.Policy.standard(Duration.ofSeconds(30));

    private Instant now = START;
    private FaultTracker tracker = FaultTracker.opened(START);

    private void look(Subject... troubled) {
        List<Signal> signals = List.of(troubled).stream()
                .map(subject -> new Signal(subject, "Broken", Duration.ZERO))
                .toList();
        tracker = tracker.advance(signals, SignalSources.everything(), now, POLICY);
    }

    private void after(int seconds) {
        now = now.plusSeconds(seconds);
    }

    /** Faults as often, each healed for long enough to be over. */
    private void flap(Subject subject, int times) {
        for (int time = 0; time < times; time++) {
            look(subject);
            after(5);
            look();
            after(31);
            look();
        }
    }

    private void clear(Instant moment) {
        tracker = tracker.cleared(Map.of("n1", moment), POLICY);
    }

    private void lookAmong(Set<String> there, Subject... troubled) {
        List<Signal> signals = List.of(troubled).stream()
                .map(subject -> new Signal(subject, "Broken", Duration.ZERO))
                .toList();
        tracker = tracker.advance(signals, there, SignalSources.everything(), now, POLICY);
    }

    @Test
    void countsNewcomersOutUntilTheyAreWellForTheFirstTime() {
        lookAmong(Set.of("n0"));
        after(1);
        lookAmong(Set.of("n0", "n1"), NODE, PORT);
        assertThat(tracker.faulty(NODE)).isTrue();
        assertThat(tracker.isNew(NODE)).isTrue();
        after(1);
        lookAmong(Set.of("n0", "n1"), PORT);
        assertThat(tracker.faulty(NODE)).isFalse();
        assertThat(tracker.isNew(PORT)).isTrue();
        after(1);
        lookAmong(Set.of("n0", "n1"));
        assertThat(tracker.faults()).isEmpty();
        after(1);
        lookAmong(Set.of("n0", "n1"), NODE);
        assertThat(tracker.isNew(NODE)).isFalse();
        after(29);
        lookAmong(Set.of("n0", "n1"));
        assertThat(tracker.faulty(NODE)).isTrue();
    }

    @Test
    void doesNotTakeForNewWhatWasThereAtTheFirstLook() {
        lookAmong(Set.of("n1"), NODE);
        assertThat(tracker.isNew(NODE)).isFalse();
        after(1);
        lookAmong(Set.of("n1"));
        assertThat(tracker.faulty(NODE)).isTrue();
    }

    @Test
    void doesNotTakeForNewWhatComesBackWithItsFault() {
        lookAmong(Set.of("n1"));
        after(1);
        lookAmong(Set.of(), NODE);
        after(1);
        lookAmong(Set.of("n1"), NODE);
        assertThat(tracker.isNew(NODE)).isFalse();
    }

    /** A node that reboots is well for a moment before more of it is seen to be missing. */
    @Test
    void aFaultThatDidNotEndKeepsItsBeginning() {
        for (int hold : List.of(0, 10)) {
            Signal signal = new Signal(NODE, "Broken", Duration.ofSeconds(hold));
            tracker = FaultTracker.opened(now);
            look();
            look(signal);
            after(hold);
            look(signal);
            Instant began = now;
            for (int time = 0; time < 3; time++) {
                after(660);
                look(signal);
                look();
                after(5);
                look(signal);
                assertThat(tracker.faults())
                        .singleElement()
                        .extracting(Fault::since)
                        .isEqualTo(began);
            }
            clear(now);
            look();
            assertThat(tracker.faults()).isEmpty();
        }
    }

    private void look(Signal signal) {
        tracker = tracker.advance(List.of(signal), SignalSources.everything(), now, POLICY);
    }

    @Test
    void toleratesFiveFaultsInTenMinutes() {
        flap(NODE, 5);
        assertThat(tracker.faulty(NODE)).isFalse();
    }

    @Test
    void quarantinesTheSixthFaultUntilAPersonClearsIt() {
        flap(NODE, 6);
        after(3600);
        look();
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
        clear(now);
        look();
        assertThat(tracker.faults()).isEmpty();
        flap(NODE, 5);
        assertThat(tracker.faulty(NODE)).isFalse();
    }

    @Test
    void faultsThatAreFarApartAreNotAddedUp() {
        for (int time = 0; time < 20; time++) {
            flap(NODE, 1);
            after(120);
        }
        assertThat(tracker.faulty(NODE)).isFalse();
    }

    @Test
    void clearingANodeClearsItsPorts() {
        flap(PORT, 6);
        assertThat(tracker.faulty(PORT)).isTrue();
        clear(now);
        assertThat(tracker.faulty(PORT)).isFalse();
    }

    @Test
    void whatBeganAfterTheMomentIsNotCleared() {
        after(60);
        look(NODE);
        clear(START.plusSeconds(30));
        assertThat(tracker.faulty(NODE)).isTrue();
        clear(now);
        assertThat(tracker.faulty(NODE)).isTrue();
        clear(now.plusSeconds(1));
        assertThat(tracker.faulty(NODE)).isFalse();
    }

    @Test
    void troubleThatIsStillThereIsANewFault() {
        look(NODE);
        after(60);
        clear(now);
        look(NODE);
        assertThat(tracker.faults()).singleElement().extracting(Fault::since).isEqualTo(now);
        after(60);
        clear(START.plusSeconds(60));
        look(NODE);
        assertThat(tracker.faults()).singleElement().extracting(Fault::since).isEqualTo(START.plusSeconds(60));
    }

    @Test
    void clearingDoesNotTouchOtherNodes() {
        look(new Subject.OfNode("n2"));
        after(60);
        clear(now);
        assertThat(tracker.faulty(new Subject.OfNode("n2"))).isTrue();
    }

    @Test
    void quarantineOutlivesTheProcess() {
        flap(NODE, 6);
        tracker = FaultTracker.opened(now, RecordedFaults.of(tracker.faults()));
        after(3600);
        look();
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
        clear(now);
        look();
        assertThat(tracker.faults()).isEmpty();
    }

    @Test
    void everySubjectIsFoundByItsLabel() {
        for (Subject subject : List.of(NODE, PORT, new Subject.OfDevice("ocs-1"))) {
            assertThat(Subject.labelled(subject.label())).contains(subject);
        }
        for (String none : List.of("", "node/", "port/n1", "port/n1/", "rack/r1", "n1")) {
            assertThat(Subject.labelled(none)).as(none).isEmpty();
        }
    }

    @Test
    void aClockThatIsSetNeitherEndsAHoldNorMakesItLonger() {
        for (Duration jump : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            Signal flicker = new Signal(PORT, "LossOfSignal", Duration.ofMillis(200));
            now = START;
            tracker = FaultTracker.opened(START).advance(List.of(flicker), SignalSources.everything(), now, POLICY);
            now = now.plus(jump).plusMillis(100);
            tracker = tracker.moved(jump).advance(List.of(flicker), SignalSources.everything(), now, POLICY);
            assertThat(tracker.faulty(PORT)).as("after 100 ms").isFalse();
            assertThat(tracker.wakeAt(POLICY)).hasValue(now.plusMillis(100));
            now = now.plusMillis(100);
            tracker = tracker.advance(List.of(flicker), SignalSources.everything(), now, POLICY);
            assertThat(tracker.faulty(PORT)).as("after 200 ms").isTrue();
        }
    }

    @Test
    void aClockThatIsSetMovesClearingAndFlappingAlong() {
        flap(PORT, 5);
        look(PORT);
        after(1);
        look();
        assertThat(tracker.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.quarantined()).isTrue());
        tracker = FaultTracker.opened(now);
        look(PORT);
        after(1);
        look();
        Duration back = Duration.ofHours(-2);
        tracker = tracker.moved(back);
        now = now.plus(back).plusSeconds(29);
        look();
        assertThat(tracker.faulty(PORT)).isTrue();
        after(2);
        look();
        assertThat(tracker.faulty(PORT)).isFalse();
    }

    @Test
    void aClockThatIsSetMovesWhatAnEarlierProcessRecorded() {
        Duration jump = Duration.ofHours(1);
        Fault recorded = new Fault(PORT, "Broken", START.minusSeconds(60), false, "");
        tracker =
                FaultTracker.opened(START, RecordedFaults.of(List.of(recorded))).moved(jump);
        now = START.plus(jump);
        look(PORT);
        assertThat(tracker.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.since()).isEqualTo(now.minusSeconds(60)));
    }

    @Test
    void aClockThatIsSetMovesTheTimesOfWhatIsNotProved() {
        tracker = tracker.proving(Map.of(PORT, START)).moved(Duration.ofHours(-1));
        assertThat(tracker.unproved(PORT)).hasValue(START.minus(Duration.ofHours(1)));
    }

    /** Of six faults the five after the moment are left, one too few for quarantine. */
    @Test
    void clearingForgetsWhatBeganBeforeTheMomentAndCountsWhatBeganAfterIt() {
        flap(NODE, 1);
        Instant moment = now;
        flap(NODE, 5);
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
        clear(moment);
        look();
        assertThat(tracker.faults()).isEmpty();
        flap(NODE, 1);
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
    }

    private void lookFor(Duration hold, String occasion, boolean there) {
        List<Signal> signals = there ? List.of(new Signal(PORT, "LossOfLight", hold).dueTo(occasion)) : List.of();
        tracker = tracker.advance(signals, SignalSources.everything(), now, POLICY);
    }

    /** There for half of the period, and gone for half of it. */
    private void blink(int times, Duration period, String occasion) {
        for (int time = 0; time < times; time++) {
            lookFor(period, occasion, true);
            now = now.plus(period.dividedBy(2));
            lookFor(period, occasion, false);
            now = now.plus(period.dividedBy(2));
        }
    }

    @Test
    void whatComesAndGoesTooFastToCountIsAFaultAtTheSixthTime() {
        blink(5, Duration.ofMillis(400), "");
        assertThat(tracker.faulty(PORT)).isFalse();
        blink(1, Duration.ofMillis(400), "");
        assertThat(tracker.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.reason()).isEqualTo(FaultTracker.FLAPPING);
            assertThat(fault.quarantined()).isFalse();
        });
        blink(100, Duration.ofMillis(400), "");
        assertThat(tracker.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.reason()).isEqualTo(FaultTracker.FLAPPING);
            assertThat(fault.quarantined()).isFalse();
        });
        after(31);
        look();
        assertThat(tracker.faults()).isEmpty();
    }

    @Test
    void flappingThatComesBackIsQuarantinedLikeAnyFault() {
        for (int time = 0; time < 6; time++) {
            blink(6, Duration.ofMillis(400), "");
            after(31);
            look();
        }
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
    }

    @Test
    void flappingThatEndsInSilenceIsCalledByItsName() {
        blink(6, Duration.ofMillis(400), "");
        lookFor(Duration.ofMillis(400), "", true);
        after(1);
        lookFor(Duration.ofMillis(400), "", true);
        assertThat(tracker.faults()).singleElement().extracting(Fault::reason).isEqualTo("LossOfLight");
    }

    @Test
    void aGlitchNowAndThenIsNoise() {
        for (int time = 0; time < 50; time++) {
            blink(1, Duration.ofMillis(400), "");
            after(6);
        }
        assertThat(tracker.faulty(PORT)).isFalse();
        after(31);
        look();
        assertThat(tracker.faults()).isEmpty();
    }

    @Test
    void lightThatWeMakeAgainAndAgainDoesNotFlap() {
        for (int time = 0; time < 50; time++) {
            blink(1, Duration.ofMillis(400), "team/job/" + time);
        }
        assertThat(tracker.faulty(PORT)).isFalse();
    }

    @Test
    void whatCanGoWithoutBeingBetterStaysUntilAPersonClearsIt() {
        look(PORT);
        tracker = tracker.advance(
                List.of(new Signal(PORT, "LowPower", Duration.ofMillis(200)).untilCleared()),
                SignalSources.everything(),
                now,
                POLICY);
        after(3600);
        look();
        assertThat(tracker.faults()).singleElement().matches(Fault::quarantined);
        clear(now);
        look();
        assertThat(tracker.faults()).isEmpty();
    }

    @Test
    void whatAPersonSaysOfAFaultStaysWithIt() {
        Signal smoke = new Signal(NODE, "DeclaredFaulty", Duration.ZERO).remarked("smells of smoke");
        tracker = tracker.advance(List.of(smoke), SignalSources.everything(), now, POLICY);
        assertThat(tracker.faults())
                .singleElement()
                .extracting(Fault::told)
                .isEqualTo("DeclaredFaulty: smells of smoke");
        after(1);
        tracker = tracker.advance(List.of(smoke.remarked("mended?")), SignalSources.everything(), now, POLICY);
        assertThat(tracker.faults()).singleElement().extracting(Fault::told).isEqualTo("DeclaredFaulty: mended?");
        after(1);
        look();
        assertThat(tracker.faults()).singleElement().extracting(Fault::remark).isEqualTo("mended?");
    }

    @Test
    void ofSeveralSignalsOfASubjectTheOneThatCountsFirstIsTold() {
        Signal late = new Signal(NODE, "A", Duration.ofSeconds(5));
        Signal now = new Signal(NODE, "C", Duration.ZERO);
        Signal alike = new Signal(NODE, "B", Duration.ZERO);
        for (List<Signal> signals : List.of(List.of(late, now, alike), List.of(alike, now, late))) {
            assertThat(FaultTracker.opened(START)
                            .advance(signals, SignalSources.everything(), START, POLICY)
                            .faults())
                    .singleElement()
                    .extracting(Fault::reason)
                    .isEqualTo("B");
        }
    }
}

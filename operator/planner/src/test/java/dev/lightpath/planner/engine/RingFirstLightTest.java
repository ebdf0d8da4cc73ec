package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Light of transceivers of which the news come late, over restarts and devices that are not listed for a while. */
class RingFirstLightTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    private final ToyRing ring = ToyRing.of(24, 3);

    private List<Fault> faultsAfter(Duration time) {
        ring.settle();
        ring.pass(time);
        return ring.settle().fabrics().get("ring-a").faults();
    }

    @Test
    void whoTakesOverWaitsForTheNewsOfLightThatHeDidNotMake() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<String> group = ring.groups(a).getFirst();
        ring.deaf.addAll(group);
        ring.restart();
        assertIsWaitedForAndThenMissedAtOnce(a, group);
    }

    @Test
    void lightOfWhichTheNewsComeLateIsWaitedFor() {
        SliceId a = ring.wish("a", 1, 16);
        ring.step();
        List<String> group = ring.groups(a).getFirst();
        ring.deaf.addAll(group);
        assertIsWaitedForAndThenMissedAtOnce(a, group);
    }

    /** No news of the group's light make no fault; once they came, the first that are missing do. */
    private void assertIsWaitedForAndThenMissedAtOnce(SliceId slice, List<String> group) {
        assertThat(faultsAfter(HOLD)).isEmpty();
        ring.deaf.clear();
        ring.settle();
        assertThat(ring.groups(slice).getFirst()).isEqualTo(group);
        ring.deaf.add(group.get(1));
        assertThat(faultsAfter(HOLD)).isNotEmpty();
    }

    @Test
    void lightThatNeverComesIsGivenUpInTheEnd() {
        SliceId a = ring.wish("a", 1, 16);
        ring.step();
        ring.deaf.add(ring.groups(a).getFirst().get(1));
        assertThat(faultsAfter(Duration.ofSeconds(11)))
                .isNotEmpty()
                .allMatch(fault -> fault.reason().equals("LossOfLight"));
    }

    @Test
    void whatIsUnprovedIsSoStillWhenItsDeviceIsListedAgain() {
        SliceId a = ring.wish("a", 1, 16);
        ring.step();
        List<String> group = ring.groups(a).getFirst();
        ring.deaf.addAll(group);
        ring.settle();
        ring.gone.add(group.get(1));
        ring.settle();
        ring.gone.clear();
        assertThat(faultsAfter(HOLD)).isEmpty();
        assertThat(ring.groups(a).getFirst()).isEqualTo(group);
    }

    @Test
    void loopbacksHaveNothingToProve() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.unwish(a);
        assertThat(ring.settle().faults().get("ring-a").unproved()).isEmpty();
    }
}

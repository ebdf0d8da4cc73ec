package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.stripe.DeviceKind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A wake-up at rest concludes what the pass before concluded, and does not work it out again. */
class LastPassTest {
    private static final Duration WAKE = Duration.ofMillis(700);

    private final ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 4);

    LastPassTest() {
        ocs.hinted = true;
        ocs.measuring = true;
        ocs.wishTraffic("llm", ToyOcs.twoByTwo());
    }

    private void rest() {
        for (int minute = 0; minute < 3; minute++) {
            ocs.settleAfter(Duration.ofMinutes(1));
        }
    }

    /** Wake-ups less and more than a second apart: light is looked at once a second. */
    private void assertHeld() {
        Deliberation before = ocs.step();
        for (int wake = 0; wake < 5; wake++) {
            ocs.now = ocs.now.plus(WAKE);
            Deliberation again = ocs.step();
            assertThat(again.slices()).as("wake-up %d", wake).isSameAs(before.slices());
            assertThat(again.fabrics()).isSameAs(before.fabrics());
            assertThat(again.agenda().wakeAt())
                    .as("nothing waits")
                    .isEqualTo(before.agenda().wakeAt());
        }
    }

    @Test
    void aFabricOfSwitchesAtRestIsNotDecidedAgain() {
        rest();
        assertHeld();
    }

    @Test
    void norIsARingBesideIt() {
        ToyRing ring = ToyRing.of(16, 3);
        ring.wish("a", 1, 16);
        ocs.beside = Optional.of(ring);
        rest();
        assertHeld();
    }

    @Test
    void whatChangesIsDecidedAgain() {
        rest();
        Deliberation before = ocs.step();
        ocs.dirt.put("ocs-00/1", 0.5);
        ocs.now = ocs.now.plusSeconds(2);
        assertThat(ocs.step().fabrics()).isNotSameAs(before.fabrics());
    }
}

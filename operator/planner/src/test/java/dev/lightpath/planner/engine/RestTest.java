package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.DriverState.Contact;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestTest {
    /**
     * A fault that was healing when the driver went away stands still: the time at which it would have cleared passes.
     */
    @Test
    void theTimeOfWhatCannotBeReadWakesNobody() {
        ToyRing ring = ToyRing.of(16, 3);
        ring.wish("a", 1, 16);
        ring.settle();
        ring.silent.add("n15");
        assertThat(until(ring)).isPresent();
        ring.pass(Duration.ofSeconds(5));
        ring.settle();
        ring.silent.clear();
        assertThat(until(ring)).as("it clears by itself").isPresent();
        ring.contact = Contact.UNREACHABLE;
        ring.pass(Duration.ofMinutes(2));
        assertThat(until(ring).filter(time -> !time.isAfter(ring.now))).isEmpty();
    }

    private static Optional<Instant> until(ToyRing ring) {
        return ((Decision.Rest) ring.settle().decision()).until();
    }
}

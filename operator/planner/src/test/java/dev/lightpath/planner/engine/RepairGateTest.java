package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepairGateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
    private static final Duration HOLD_OFF = Duration.ofSeconds(60);
    private static final Workload RUNNING = new Workload.Pods(new TreeSet<>(List.of("n0")), false);
    private static final Workload STOPPING = new Workload.Pods(new TreeSet<>(List.of("n0")), true);
    private static final Supplier<Instant> UNASKED = () -> {
        throw new AssertionError("nothing is held off");
    };

    private final RepairGate gate = new RepairGate(ChangeFreeze.NONE, NOW);

    private static SliceIntent slice(Workload workload, Replacement replacement) {
        return Request.of(new SliceId("team", "a"), "ring-a", new Demand.ScaleUp(1, 8), NOW)
                .workload(workload)
                .replacement(replacement)
                .build();
    }

    @Test
    void aHealthKeyAloneIsEnoughWhereTheUserSaysSo() {
        assertThat(gate.wait(slice(RUNNING, new Replacement.Immediately()), UNASKED))
                .isEmpty();
    }

    @Test
    void aRunningPodIsWaitedForUntilItStops() {
        Replacement with = new Replacement.WithWorkload();
        assertThat(gate.wait(slice(RUNNING, with), UNASKED).orElseThrow()).contains("WithWorkload");
        assertThat(gate.wait(slice(STOPPING, with), UNASKED)).isEmpty();
    }

    @Test
    void aHoldOffEndsToTheInstant() {
        SliceIntent held = slice(RUNNING, new Replacement.After(HOLD_OFF));
        assertThat(gate.wait(held, () -> NOW.minus(HOLD_OFF))).isEmpty();
        assertThat(gate.opensAt()).isEmpty();
        Instant hurt = NOW.minus(HOLD_OFF).plusNanos(1);
        assertThat(gate.wait(held, () -> hurt).orElseThrow())
                .contains(NOW.plusNanos(1).toString());
        assertThat(gate.opensAt()).contains(NOW.plusNanos(1));
        assertThat(gate.wait(slice(STOPPING, new Replacement.After(HOLD_OFF)), UNASKED))
                .isEmpty();
    }

    @Test
    void theFirstHoldOffToEndIsTold() {
        SliceIntent held = slice(RUNNING, new Replacement.After(HOLD_OFF));
        for (int seconds : List.of(20, 10, 30)) {
            Optional<String> waits = gate.wait(held, () -> NOW.minus(HOLD_OFF).plusSeconds(seconds));
            assertThat(waits.orElseThrow()).contains(NOW.plusSeconds(seconds).toString());
        }
        assertThat(gate.opensAt()).contains(NOW.plusSeconds(10));
    }

    @Test
    void whatIsNeverToBeRepairedIsNot() {
        assertThat(gate.wait(slice(STOPPING, new Replacement.Never()), UNASKED).orElseThrow())
                .contains("Never");
    }

    @ParameterizedTest
    @EnumSource(
            value = ChangeFreeze.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "RETIRING"})
    void aFabricThatStandsStillRepairsNothing(ChangeFreeze freeze) {
        RepairGate frozen = new RepairGate(freeze, NOW);
        assertThat(frozen.wait(slice(STOPPING, new Replacement.Immediately()), UNASKED))
                .contains(freeze.message());
        assertThat(frozen.opensAt()).isEmpty();
    }

    @Test
    void aFabricThatIsBeingDeletedStillRepairs() {
        assertThat(new RepairGate(ChangeFreeze.RETIRING, NOW)
                        .wait(slice(STOPPING, new Replacement.Immediately()), UNASKED))
                .isEmpty();
    }
}

package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PassCheckTest {
    private static final World WORLD = World.atRest(
            Instant.parse("2026-01-01T00:00:00Z"),
            new StageId(1, 1),
            new TreeMap<>(Map.of("ring-a", Scenes.ring(false))),
            new TreeMap<>(),
            new TreeMap<>(Map.of(Scenes.SLICE, Scenes.wish())),
            new TreeMap<>(Map.of(Scenes.SLICE, new LedgerEntry(Optional.empty(), "1"))),
            new TreeMap<>());

    private final Counting meter = new Counting();

    @Test
    void aPassThatConcludesAsFromNothingIsNoDifference() {
        new PassCheck(true, meter).check(WORLD, FabricEngine.deliberate(WORLD));
        assertThat(meter.differences).isZero();
    }

    @Test
    void aPassThatConcludesOtherwiseIsCounted() {
        new PassCheck(true, meter).check(WORLD, otherwise(FabricEngine.deliberate(WORLD)));
        assertThat(meter.differences).isEqualTo(1);
    }

    @Test
    void nothingIsComparedUnlessAskedFor() {
        new PassCheck(false, meter).check(WORLD, otherwise(FabricEngine.deliberate(WORLD)));
        assertThat(meter.differences).isZero();
    }

    private static Deliberation otherwise(Deliberation of) {
        return new Deliberation(
                of.decision(),
                of.slices(),
                of.fabrics(),
                of.faults(),
                new Agenda(
                        of.agenda().devices() + 1,
                        of.agenda().urgent(),
                        of.agenda().wakeAt()),
                of.planner(),
                of.ocsFabrics(),
                of.questions(),
                of.remembered());
    }

    private static final class Counting implements QuietMeter {
        private int differences;

        @Override
        public void differs() {
            differences++;
        }
    }
}

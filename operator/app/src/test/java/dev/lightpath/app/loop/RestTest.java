package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.FabricVerdict.Newer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How long the loop does nothing while nothing is heard. */
class RestTest {
    private static final Decision.Rest FOR_LONG = new Decision.Rest(Optional.empty());

    @Test
    void aFabricThatStopsForALaterRevisionIsLookedAtAgainSoon() {
        assertThat(rest(FOR_LONG, new Newer("devices remember revision 12", 12, true)))
                .isEqualTo(PlanningLoop.LAGGING);
    }

    @Test
    void whatIsDueBeforeIsDoneInTime() {
        Decision.Rest soon = new Decision.Rest(Optional.of(Scenes.NOW.plusMillis(500)));
        assertThat(rest(soon, new Newer("devices remember revision 12", 12, true)))
                .isLessThan(PlanningLoop.LAGGING);
    }

    @Test
    void whatNoWatchMendsIsNoReasonToLook() {
        assertThat(rest(FOR_LONG, new Newer("one agent remembers revision 12", 0, false)))
                .isGreaterThan(PlanningLoop.LAGGING);
        assertThat(rest(FOR_LONG, new Newer("an epoch that nobody gave", 0, true)))
                .isGreaterThan(PlanningLoop.LAGGING);
    }

    private static Duration rest(Decision.Rest decision, Newer newer) {
        FabricVerdict sound = Scenes.sound();
        FabricVerdict doubted = new FabricVerdict(
                sound.nodes(),
                sound.gpus(),
                sound.circuits(),
                sound.darkness(),
                sound.faults(),
                sound.foreign(),
                sound.invalidWiring(),
                sound.massFailure(),
                sound.awaitingAdoption(),
                Optional.of(newer),
                sound.heldElsewhere(),
                sound.ledgerDigest(),
                sound.quarantinedPorts(),
                sound.unreadable(),
                sound.refused(),
                sound.foreignStays(),
                sound.optical());
        return PlanningLoop.rest(
                decision,
                Scenes.deliberation(
                        decision, new TreeMap<>(), new TreeMap<>(Map.of("ring-a", doubted)), Optional.empty()),
                Scenes.NOW);
    }
}

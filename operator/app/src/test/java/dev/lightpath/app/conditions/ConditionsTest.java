package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private static List<Condition> first(Verdict verdict) {
        return Conditions.since(List.of(), 1, NOW)
                .with(ConditionType.READY, verdict)
                .list();
    }

    @Test
    void transitionTimeStaysWhileTheStatusStays() {
        List<Condition> next = Conditions.since(first(Verdict.fails("Programming", "3 of 8")), 2, LATER)
                .with(ConditionType.READY, Verdict.fails("Qualifying", "8 of 8"))
                .list();
        assertThat(next).singleElement().satisfies(ready -> {
            assertThat(ready.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(ready.getReason()).isEqualTo("Qualifying");
            assertThat(ready.getMessage()).isEqualTo("8 of 8");
            assertThat(ready.getObservedGeneration()).isEqualTo(2);
        });
    }

    @Test
    void transitionTimeMovesWithTheStatus() {
        List<Condition> next = Conditions.since(first(Verdict.fails("Programming", "")), 1, LATER.plusMillis(400))
                .with(ConditionType.READY, Verdict.holds("lit"))
                .list();
        assertThat(next).singleElement().satisfies(ready -> {
            assertThat(ready.getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
            assertThat(ready.getStatus()).isEqualTo("True");
            assertThat(ready.getReason()).isEqualTo("Satisfied");
        });
    }

    @Test
    void unknownIsAStatusOfItsOwn() {
        List<Condition> next = Conditions.since(first(Verdict.fails("Programming", "")), 1, LATER)
                .with(ConditionType.READY, Verdict.unknown("Unread", ""))
                .list();
        assertThat(next.getFirst().getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
    }

    @Test
    void leavesConditionsOfOthersToThem() {
        Condition others =
                new ConditionBuilder().withType("Audited").withStatus("True").build();
        assertThat(Conditions.since(List.of(others), 1, LATER)
                        .with(ConditionType.READY, Verdict.holds(""))
                        .list())
                .extracting(Condition::getType)
                .containsExactly("Ready");
    }

    @Test
    void cutsMessagesToWhatTheApiServerTakes() {
        String message = first(Verdict.fails("X", "m".repeat(9000))).getFirst().getMessage();
        assertThat(message).hasSize(Conditions.LONGEST_MESSAGE).endsWith(" ...");
    }
}

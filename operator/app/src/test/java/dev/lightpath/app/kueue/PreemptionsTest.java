package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Conditions are as Kueue v0.19 writes them. */
class PreemptionsTest {
    private static final Instant PREEMPTED = Instant.parse("2026-11-30T15:51:25Z");
    private static final String PREEMPTOR = "b802deec-3773-44d7-9820-9c8294ddedee";
    private static final String MESSAGE = "Preempted to accommodate a workload (UID: " + PREEMPTOR
            + ", JobUID: 6a6f2689-46ea-4069-8557-78e7a79de232) due to reclamation within the cohort;"
            + " preemptor path: /all/production; preemptee path: /all/research";

    private final Preemptions preemptions = new Preemptions();

    @Test
    void knowsWhoTookQuotaFromAVictimThatWaits() {
        preemptions.saw(victim("True", MESSAGE));
        assertThat(preemptions.made(holding(PREEMPTOR, PREEMPTED.plusSeconds(20))))
                .isTrue();
        assertThat(preemptions.made(holding("6a6f2689-46ea-4069-8557-78e7a79de232", PREEMPTED.plusSeconds(20))))
                .isFalse();
    }

    @Test
    void knowsItWhileTheVictimRunsAgain() {
        preemptions.saw(victim("False", "Previously: " + MESSAGE));
        assertThat(preemptions.made(holding(PREEMPTOR, PREEMPTED.plusSeconds(20))))
                .isTrue();
    }

    @Test
    void quotaThatWasThereLongAfterwardsWasNotTaken() {
        preemptions.saw(victim("False", "Previously: " + MESSAGE));
        assertThat(preemptions.made(holding(PREEMPTOR, PREEMPTED.plus(Duration.ofHours(25)))))
                .isFalse();
    }

    @Test
    void aVictimThatIsGoneLosesNothingMore() {
        preemptions.saw(victim("True", MESSAGE));
        preemptions.gone("d1");
        assertThat(preemptions.made(holding(PREEMPTOR, PREEMPTED.plusSeconds(20))))
                .isFalse();
    }

    @Test
    void aWorkloadThatLostNothingOrSaysSoInOtherWordsHasNoPreemptor() {
        preemptions.saw(Serialization.unmarshal("metadata: {uid: d0}", GenericKubernetesResource.class));
        preemptions.saw(victim("True", "made room for " + PREEMPTOR));
        assertThat(preemptions.made(holding(PREEMPTOR, PREEMPTED.plusSeconds(20))))
                .isFalse();
    }

    private static GenericKubernetesResource victim(String status, String message) {
        return Serialization.unmarshal("""
                metadata: {uid: d1}
                status: {conditions: [{type: Evicted, status: "True"},
                 {type: Preempted, status: "%s", lastTransitionTime: "%s", message: "%s"}]}
                """.formatted(status, PREEMPTED, message), GenericKubernetesResource.class);
    }

    private static QueuedWorkload holding(String uid, Instant reserved) {
        return QueuedWorkload.read(
                Serialization.unmarshal("""
                        metadata: {uid: %s}
                        status: {conditions: [{type: QuotaReserved, status: "True", lastTransitionTime: "%s"}]}
                        """.formatted(uid, reserved), JsonNode.class),
                Set.of("light"),
                "lightpath.dev/circuits");
    }
}

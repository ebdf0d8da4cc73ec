package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is answered of a Workload that no TrainingJob answers, and when. */
class UnlitStepTest {
    private static final Instant RESERVED = Instant.parse("2026-05-01T10:00:00Z");
    private static final Instant SOON = RESERVED.plusMillis(500);
    private static final Instant LATE = RESERVED.plusSeconds(3);
    private static final Standing NOBODY = new Standing.Nobody();
    private static final Standing REFUSED =
            new Standing.ByLabel(true, Optional.of("InvalidTemplate: one by one"), true);
    private static final Standing ACCEPTED = new Standing.ByLabel(true, Optional.empty(), true);
    private static final Standing LET_GO = new Standing.ByLabel(true, Optional.empty(), false);
    private static final Standing UNTOLD = new Standing.ByLabel(false, Optional.empty(), true);
    private static final String GATE = "template: {spec: {schedulingGates: [{name: lightpath.dev/circuits}]}}";
    private static final String PENDING = "Pending";

    @Test
    void whatNobodyNamesIsReadyWithoutTheGateAndHoldsNoQuotaBehindIt() {
        assertThat(step(asking(""), NOBODY, SOON))
                .isEqualTo(answer(CheckState.READY, "its pods wait for no light: no TrainingJob names it"));
        assertThat(step(asking(GATE), NOBODY, SOON)).isEqualTo(new UnlitStep.LookAgain(Duration.ofMillis(1501)));
        assertThat(step(asking(GATE), NOBODY, LATE))
                .isInstanceOfSatisfying(
                        UnlitStep.Answer.class,
                        due -> assertThat(due.answer().state()).isEqualTo(CheckState.RETRY));
        assertThat(step(read(GATE, "Ready", "True", ""), NOBODY, LATE)).isEqualTo(new UnlitStep.Leave());
    }

    /** Of many that are each admitted by themselves the job answers one at a time, and some never. */
    @Test
    void eachWorkloadOfAJobThatIsRefusedGivesItsQuotaBackInItsWords() {
        assertThat(step(asking(GATE), REFUSED, SOON))
                .as("its job may be told first")
                .isEqualTo(new UnlitStep.LookAgain(Duration.ofMillis(1501)));
        assertThat(step(asking(GATE), REFUSED, LATE))
                .isEqualTo(answer(CheckState.RETRY, "InvalidTemplate: one by one"));
        assertThat(step(asking(""), REFUSED, LATE)).isEqualTo(answer(CheckState.RETRY, "InvalidTemplate: one by one"));
        assertThat(step(read(GATE, PENDING, "False", ""), REFUSED, LATE)).isEqualTo(new UnlitStep.Leave());
        assertThat(step(read(GATE, PENDING + ", retryCount: 1", "True", ""), REFUSED, SOON))
                .as("it was waited for before")
                .isEqualTo(answer(CheckState.RETRY, "InvalidTemplate: one by one"));
    }

    /** As a launcher, which its queue admits by itself. */
    @Test
    void podsWithoutTheGateOfAJobThatIsAcceptedNeedNoLight() {
        assertThat(step(asking(""), ACCEPTED, SOON)).isInstanceOf(UnlitStep.LookAgain.class);
        assertThat(step(asking(""), ACCEPTED, LATE)).isEqualTo(answer(CheckState.READY, "its pods wait for no light"));
        assertThat(step(asking(""), UNTOLD, LATE))
                .as("its job may be refused yet")
                .isEqualTo(new UnlitStep.LookAgain(Duration.ofSeconds(2)));
    }

    /** Its Workload shows the gate that it was made with for ever. */
    @Test
    void aPodThatWasMadeWithTheGateAndLetGoNeedsNoLight() {
        assertThat(step(asking(GATE), LET_GO, SOON)).isInstanceOf(UnlitStep.LookAgain.class);
        assertThat(step(asking(GATE), LET_GO, LATE)).isEqualTo(answer(CheckState.READY, "its pods wait for no light"));
    }

    @Test
    void theJobAnswersForItsWorkersAsLongAsItIsThere() {
        assertThat(step(asking(GATE), ACCEPTED, LATE)).isEqualTo(new UnlitStep.LookAgain(Duration.ofSeconds(2)));
        assertThat(step(asking(GATE), new Standing.Answered(), LATE))
                .isEqualTo(new UnlitStep.LookAgain(Duration.ofSeconds(30)));
        assertThat(step(read(GATE, "Ready", "True", ""), ACCEPTED, LATE)).isEqualTo(new UnlitStep.Leave());
        assertThat(step(read(GATE, "Ready", "True", ""), new Standing.Answered(), LATE))
                .isEqualTo(new UnlitStep.Leave());
    }

    @Test
    void oneThatHadNoPlaceIsTendedUnlessItsJobDoesSo() {
        QueuedWorkload parked = read(
                GATE,
                PENDING,
                "False",
                ", active: false}, metadata: {annotations: {lightpath.dev/no-place: 2026-05-01T10:00:30Z why}");
        NoPlace noPlace = new NoPlace(RESERVED.plusSeconds(30), "why");
        for (Standing standing : Set.of(ACCEPTED, UNTOLD)) {
            assertThat(step(parked, standing, LATE)).isEqualTo(new UnlitStep.Tend(noPlace, false));
        }
        for (Standing standing : Set.of(NOBODY, REFUSED)) {
            assertThat(step(parked, standing, LATE))
                    .as("its queue might take quota from others for nothing")
                    .isEqualTo(new UnlitStep.Tend(noPlace, true));
        }
        assertThat(step(parked, new Standing.Answered(), LATE)).isInstanceOf(UnlitStep.LookAgain.class);
    }

    /** As by {@code kueuectl resume}: else a later {@code kueuectl stop} would be undone at once. */
    @Test
    void oneThatSomebodyLetBackIsNotTendedOnceItIsStopped() {
        QueuedWorkload resumed = read(
                GATE,
                PENDING,
                "False",
                ", active: true}, metadata: {annotations: {lightpath.dev/no-place: 2026-05-01T10:00:30Z why}");
        for (Standing standing : Set.of(NOBODY, REFUSED, ACCEPTED, UNTOLD, new Standing.Answered())) {
            assertThat(step(resumed, standing, LATE)).isEqualTo(new UnlitStep.Forget());
        }
    }

    private static UnlitStep step(QueuedWorkload workload, Standing standing, Instant now) {
        return UnlitStep.of(workload, standing, now);
    }

    private static UnlitStep answer(CheckState state, String message) {
        return new UnlitStep.Answer(new CheckAnswer(state, message, false));
    }

    private static QueuedWorkload asking(String template) {
        return read(template, PENDING, "True", "");
    }

    private static QueuedWorkload read(String template, String check, String reserved, String spec) {
        return QueuedWorkload.read(
                Serialization.unmarshal("""
                        --- {spec: {podSets: [{name: main, count: 1, %s}]%s},
                         status: {conditions: [{type: QuotaReserved, status: "%s", lastTransitionTime: "%s"}],
                                  admissionChecks: [{name: light, state: %s}]}}
                        """.formatted(template, spec, reserved, RESERVED, check), JsonNode.class),
                Set.of("light"),
                "lightpath.dev/circuits");
    }
}

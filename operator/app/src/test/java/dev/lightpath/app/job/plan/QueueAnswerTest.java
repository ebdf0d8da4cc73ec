package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.CheckAnswer;
import dev.lightpath.app.kueue.CheckState;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Outlook;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueAnswerTest {
    private final SampleJob sample = new SampleJob();
    private boolean givenBack;
    private boolean preempted;

    @Test
    void aJobWhoseQuotaIsReservedIsPlacedThoughItsWorkloadIsSuspended() {
        queued(reserved(NOW));
        assertThat(sample.steps()).singleElement().isInstanceOf(JobStep.CreateSlice.class);
        assertThat(answer()).isEqualTo(CheckAnswer.pending(sample.message(ConditionType.PLACED)));
    }

    @Test
    void aJobWithoutQuotaIsNeitherPlacedNorAnswered() {
        queued(workload(Optional.empty(), false, CheckState.PENDING, Optional.empty()));
        assertNothing();
    }

    @Test
    void aJobThatIsEvictedIsNeitherPlacedNorAnswered() {
        queued(workload(Optional.of(NOW), true, CheckState.PENDING, Optional.empty()));
        assertNothing();
    }

    /** Kueue takes its quota back: what is placed meanwhile would be for nothing. */
    @Test
    void aJobThatWasToldToRetryIsNeitherPlacedNorAnswered() {
        queued(workload(Optional.of(NOW), false, CheckState.RETRY, Optional.empty()));
        assertNothing();
    }

    @Test
    void aJobWithoutQuotaSaysWhatKueueSays() {
        QueuedWorkload waits = QueuedWorkload.read(Serialization.unmarshal("""
                        metadata: {namespace: team-a, name: train}
                        status: {conditions: [{type: QuotaReserved, status: "False", message: "32 more needed"}]}
                        """, JsonNode.class), Set.of(), "gate");
        queued(waits);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("; Kueue says: 32 more needed; it is given nodes");
        assertThat(read()).isEmpty();
    }

    /** Kueue might preempt others for it, whose nodes would not be enough. */
    @Test
    void aJobThatHadNoPlaceWaitsUntilItsFabricHasGpusEnough() {
        queued(QueuedWorkload.read(
                Serialization.unmarshal("""
                        metadata: {annotations: {lightpath.dev/no-place: "2026-01-01T00:00:10Z InsufficientCapacity"}}
                        spec: {active: false}
                        """, JsonNode.class), Set.of("light"), "lightpath.dev/circuits"));
        sample.fabric = Optional.of(SampleFabric.ring("ring-a", 12));
        assertThat(Acceptance.staysOut(sample.facts())).isTrue();
        assertThat(sample.message(ConditionType.ACCEPTED))
                .contains("it is not tried again before 2026-01-01T00:00:10Z, nor while its fabric has fewer GPUs that"
                        + " can be used than it wants; it is given nodes");
        sample.fabric = Optional.of(SampleFabric.ring("ring-a", 16));
        assertThat(Acceptance.staysOut(sample.facts())).isFalse();
        assertThat(sample.message(ConditionType.ACCEPTED))
                .contains("it is not tried again before 2026-01-01T00:00:10Z; it is given nodes");
    }

    private void assertNothing() {
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(read()).isEmpty();
    }

    /** The planner read that it waits for quota, and the slice was made since: else it would lose its quota again. */
    @Test
    void aSliceThatWasNotWantedAMomentAgoIsNoWantOfAPlace() {
        queued(reserved(NOW.minus(QueueAnswer.PATIENCE)));
        sample.waiting(
                SampleJob.condition(ConditionType.ALLOCATED, "False", "Released"),
                SampleJob.condition(ConditionType.READY, "False", "Released"));
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("Unknown Pending");
        assertThat(answer().state()).isEqualTo(CheckState.PENDING);
    }

    /** Else the other would lose its quota. */
    @Test
    void aJobThatRefersToTheWorkloadOfAnotherAnswersNothing() {
        WorkloadFacts.Run waiting =
                SampleRun.running().suspended(true).queued(reserved(NOW)).run();
        WorkloadFacts.Referenced mine =
                new WorkloadFacts.Referenced("JobSet mine", true, Optional.of(waiting), List.of());
        sample.workload = mine;
        assertThat(read()).isPresent();
        sample.workload = mine.taken("it is the workload of TrainingJob other");
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WorkloadTaken");
        assertThat(read()).isEmpty();
    }

    @Test
    void lightThatBurnsIsReady() {
        queued(reserved(NOW));
        sample.lit();
        assertThat(answer().state()).isEqualTo(CheckState.READY);
        assertThat(answer().message())
                .isEqualTo(sample.message(ConditionType.PLACED) + "; the light burns and is qualified");
    }

    /** Who admits it may not know how to start it. */
    @Test
    void aJobThatHasQuotaAndLightSaysThatItsWorkloadIsSuspendedStill() {
        queued(reserved(NOW));
        sample.lit();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; JobSet " + SampleJob.JOB_SET + " is still suspended (spec.suspend)");
    }

    @Test
    void anAnswerThatWasGivenIsNotGivenAgain() {
        queued(workload(Optional.of(NOW), false, CheckState.READY, Optional.empty()));
        sample.lit();
        assertThat(read()).isEmpty();
    }

    @Test
    void aPlaceWhoseLightIsOnItsWayKeepsItsQuota() {
        queued(reserved(NOW.minus(Duration.ofHours(1))));
        sample.placed(SampleJob.condition(ConditionType.READY, "False", "Programming"));
        assertThat(answer().state()).isEqualTo(CheckState.PENDING);
        assertThat(answer().message()).isEqualTo(sample.message(ConditionType.FABRIC_READY));
    }

    @Test
    void aJobWithoutAPlaceGivesItsQuotaBackAfterAMoment() {
        sample.waiting(SampleJob.condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        queued(reserved(NOW.minus(QueueAnswer.PATIENCE).plusMillis(1)));
        assertThat(answer().state()).isEqualTo(CheckState.PENDING);
        assertThat(read().orElseThrow().again(NOW)).contains(Duration.ofMillis(1));
        queued(reserved(NOW.minus(QueueAnswer.PATIENCE)));
        assertThat(answer().state()).isEqualTo(CheckState.RETRY);
        assertThat(answer().message()).startsWith("InsufficientCapacity: ");
        assertThat(read().orElseThrow().again(NOW)).isEmpty();
    }

    /** Pods of a job that it preempted may take their time to end. */
    @Test
    void aPlaceThatIsBeingGivenBackIsWaitedForLonger() {
        givenBack = true;
        sample.waiting(SampleJob.condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        queued(reserved(NOW.minus(QueueAnswer.LONG_PATIENCE).plusMillis(1)));
        assertThat(answer().state()).isEqualTo(CheckState.PENDING);
        queued(reserved(NOW.minus(QueueAnswer.LONG_PATIENCE)));
        assertThat(answer().state()).isEqualTo(CheckState.RETRY);
    }

    /** Each try may cost others their quota. */
    @Test
    void aJobThatCanNeverFitGivesItsQuotaBackAtOnceAndIsTriedMuchLater() {
        sample.waiting(SampleJob.condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        sample.slices.set(0, SampleJob.expecting(Outlook.NEVER, sample.slices.getFirst()));
        queued(reserved(NOW));
        assertThat(answer())
                .isEqualTo(CheckAnswer.retryMuchLater("InsufficientCapacity: " + sample.message(ConditionType.PLACED)));
    }

    /** Its victims have started anew for nothing, and would at each further try. */
    @Test
    void aJobThatPreemptedForNoPlaceIsTriedMuchLater() {
        preempted = true;
        sample.waiting(SampleJob.condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        queued(reserved(NOW.minus(QueueAnswer.PATIENCE)));
        assertThat(answer())
                .isEqualTo(CheckAnswer.retryMuchLater("InsufficientCapacity: " + sample.message(ConditionType.PLACED)));
        sample.fabric = Optional.empty();
        assertThat(answer().costly())
                .as("what it says may be mended in a moment")
                .isFalse();
    }

    @Test
    void aJobThatCannotBeAcceptedGivesItsQuotaBackAtOnce() {
        queued(reserved(NOW));
        sample.fabric = Optional.empty();
        assertThat(answer().state()).isEqualTo(CheckState.RETRY);
        assertThat(answer().message()).startsWith("FabricNotFound: spec.scaleUp.fabric");
    }

    @Test
    void partialAdmissionIsRefused() {
        queued(workload(Optional.of(NOW), false, CheckState.PENDING, Optional.of("partial admission of 2 of 4 pods")));
        sample.lit();
        assertThat(answer()).isEqualTo(CheckAnswer.retry("partial admission of 2 of 4 pods"));
    }

    @Test
    void aJobWhosePodsRunInAnotherClusterHasNoPlaceHere() {
        sample.own();
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running()
                        .suspended(true)
                        .elsewhere()
                        .queued(reserved(NOW))
                        .run()),
                List.of(),
                Optional.empty());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NotSupported");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("kueue.x-k8s.io/multikueue");
        assertThat(answer().state()).isEqualTo(CheckState.READY);
    }

    @Test
    void onlyAJobThatLostItsPlaceAndHasItsRecordStillGivesAPlaceBack() {
        assertThat(QueueAnswer.givesBack(null)).isFalse();
        assertThat(QueueAnswer.givesBack(told("False", 3L))).isTrue();
        assertThat(QueueAnswer.givesBack(told("True", 3L))).isFalse();
        assertThat(QueueAnswer.givesBack(told("False", null))).isFalse();
    }

    private static TrainingJobStatus told(String placed, @Nullable Long revision) {
        return TrainingJobStatus.builder()
                .conditions(List.of(new ConditionBuilder()
                        .withType("Placed")
                        .withStatus(placed)
                        .build()))
                .slices(List.of(new SliceReference("s", "ring-a", revision)))
                .build();
    }

    private Optional<QueueAnswer> read() {
        return QueueAnswer.of(sample.facts(), sample.told(), () -> givenBack, workload -> preempted);
    }

    private CheckAnswer answer() {
        return read().orElseThrow().answer();
    }

    private void queued(QueuedWorkload workload) {
        sample.own();
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running().suspended(true).run().with(Optional.of(workload))),
                List.of(),
                Optional.empty());
    }

    private static QueuedWorkload reserved(Instant since) {
        return workload(Optional.of(since), false, CheckState.PENDING, Optional.empty());
    }

    private static QueuedWorkload workload(
            Optional<Instant> since, boolean evicted, CheckState state, Optional<String> partial) {
        return new QueuedWorkload(
                "team-a",
                "jobset-train",
                "e2c5",
                "7",
                List.of(new QueuedWorkload.Owner("JobSet", SampleJob.JOB_SET, "")),
                List.of(new QueuedWorkload.Check(0, "light", state, "", 0)),
                since,
                false,
                evicted,
                partial,
                true,
                true,
                Optional.empty(),
                Optional.empty());
    }
}

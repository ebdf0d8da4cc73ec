package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.hanging;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job that is deleted, suspended, preempted or at its end gives its light back after its pods. */
class JobEndTest {
    private static final Condition GOING = condition(ConditionType.READY, "False", "Releasing");

    private final SampleJob sample = new SampleJob();

    @Test
    void deletesFromTheTop() {
        sample.deleted = true;
        sample.lit().own(running(0));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));

        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running().deleting(true).run()),
                List.of(running(0)),
                Optional.empty());
        assertThat(sample.steps()).containsExactly(new JobStep.DeletePod("p0"));
        assertThat(sample.message(ConditionType.READY)).contains("waits for 1 pod to end, first p0");

        sample.workload =
                new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(running(0)), Optional.empty());
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).as("pods may still send light").containsExactly(new JobStep.DeletePod("p0"));

        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        sample.slices.clear();
        sample.placed(GOING);
        assertThat(sample.steps()).as("light still burns").isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False Releasing");
        assertThat(sample.message(ConditionType.READY)).contains(SampleJob.SLICE);

        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());

        sample.slices.clear();
        assertThat(sample.steps()).containsExactly(new JobStep.RemoveFinalizer());
        sample.finalizer = false;
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void thatARecordWasDarkSaysNothingOfOneThatIsLit() {
        sample.deleted = true;
        sample.placed(SampleJob.condition(ConditionType.READY, "False", "Released"));
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void aDeadNodeDoesNotHoldUpTheEndOfAJob() {
        sample.deleted = true;
        sample.lit().own(hanging(0, "n0"));
        assertThat(sample.steps())
                .containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET), new JobStep.ForceDeletePod("p0"));
    }

    @Test
    void gatedPodsOfOthersDoNotHoldUpTheRelease() {
        sample.deleted = true;
        sample.released().workload = new WorkloadFacts.Referenced(
                "JobSet mine", true, Optional.of(SampleRun.running().run()), List.of(gated(0)));
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    @Test
    void aPersonMayLetASliceGoOnceItsPortsAreInQuarantine() {
        sample.deleted = true;
        sample.slices.add(SampleSlice.like(SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING))
                .deleting()
                .forced()
                .facts());
        sample.fabric = Optional.of(
                SampleFabric.of("ring-a", true, 4, Optional.empty(), new TreeSet<>(List.of("n0", "n1", "n2"))));
        assertThat(sample.steps()).isEmpty();
        sample.fabric = Optional.of(
                SampleFabric.of("ring-a", true, 4, Optional.empty(), new TreeSet<>(List.of("n0", "n1", "n2", "n3"))));
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    @Test
    void anUngrantedSliceOfAFabricThatIsGoneMayGo() {
        sample.deleted = true;
        sample.waiting();
        assertThat(sample.steps()).isEmpty();
        sample.fabric = Optional.empty();
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    @Test
    void suspendsAndComesBackInANewAttempt() {
        sample.suspend = true;
        sample.lit().own(running(0));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False Suspended");
        assertThat(sample.says(ConditionType.RECONCILING)).isEqualTo("True Suspended");
        sample.slices.clear();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        sample.status = TrainingJobStatus.builder().attempt(1).build();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("False");
        assertThat(sample.told().attempt()).isEqualTo(1);

        sample.suspend = false;
        assertThat(sample.steps()).singleElement().isInstanceOfSatisfying(JobStep.CreateSlice.class, create -> {
            assertThat(create.attempt()).isEqualTo(2);
            assertThat(create.name()).isEqualTo(JobNames.slice("train", "ring-a", 2, SampleJob.UID));
        });
    }

    /** Pods end first, then the light goes; then the job waits again. */
    @Test
    void aPreemptedJobEndsAsASuspendedOneAndWaitsAgain() {
        sample.lit().own(running(0));
        sample.slices.set(0, SampleJob.preemptedBy("team-b/urgent", sample.slices.getFirst()));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False Preempted");
        assertThat(sample.told().preempted()).isEqualTo(new Preempted("team-b/urgent", 1));

        // the planner does not say so any more, as it sees that the place is given up
        sample.status = sample.told();
        sample.slices.clear();
        sample.released();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps()).containsExactly(sample.deletion());
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False Preempted");

        sample.slices.clear();
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
        assertThat(sample.says(ConditionType.PLACED)).as("no slice yet").isEqualTo("False Preempted");
        sample.slices.add(SampleJob.slice(2, Optional.empty()));
        assertThat(sample.says(ConditionType.PLACED))
                .as("no word of the planner yet")
                .isEqualTo("False Preempted");
        sample.slices.set(
                0,
                SampleJob.slice(
                        2,
                        Optional.empty(),
                        SampleJob.condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity")));
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False Preempted");
        assertThat(sample.told().preempted()).isEqualTo(new Preempted("team-b/urgent", 1));

        sample.slices.clear();
        sample.lit();
        sample.slices.set(0, SampleJob.ofAttempt(2, sample.slices.getFirst()));
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
        assertThat(sample.told().preempted()).isNull();
    }

    @Test
    void aPreemptedJobKeepsItsPlaceIfItsPreemptorGoesBeforeItsJobSetMayBeDeleted() {
        sample.lit().own(running(0));
        SliceFacts slice = sample.slices.getFirst();
        sample.slices.set(0, SampleJob.preemptedBy("team-b/urgent", slice));
        sample.status = JobReport.of(
                sample.facts(),
                List.of(),
                Optional.of(new StepsTaken.Refusal(new JobStep.DeleteJobSet(SampleJob.JOB_SET), "no", false)));
        assertThat(sample.status.preempted()).isNull();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False Preempted");

        sample.slices.set(0, slice);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
    }

    @Test
    void aCompletedJobGivesItsLightBackAndStaysComplete() {
        sample.lit().own().ended(true, "JobCompleted");
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.COMPLETE)).isEqualTo("True JobCompleted");
        assertThat(sample.says(ConditionType.FAILED)).isEqualTo("False Pending");
        sample.status = sample.told();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.COMPLETE)).isEqualTo("True JobCompleted");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("False");
    }

    @Test
    void aFailedJobSaysWhyAndNeedsAPerson() {
        sample.own().ended(false, "MaxRestarts");
        assertThat(sample.says(ConditionType.FAILED)).isEqualTo("True MaxRestarts");
        assertThat(sample.says(ConditionType.COMPLETE)).isEqualTo("False Pending");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True MaxRestarts");
        sample.ended(false, "JobFailed");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False JobFailed");
    }

    @Test
    void aJobThatWasPlacedLongEnoughFailsAndItsPodsEnd() {
        sample.deadline = 60;
        sample.lit().own(running(0), running(1), running(2), running(3));
        sample.status = placedAt(SampleJob.NOW.minusSeconds(59));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("True Satisfied");
        sample.status = placedAt(SampleJob.NOW.minusSeconds(60));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        assertThat(sample.says(ConditionType.FAILED)).isEqualTo("True DeadlineExceeded");
        assertThat(sample.message(ConditionType.FAILED))
                .isEqualTo("the job was placed for spec.activeDeadlineSeconds, 60 s");
        sample.status = sample.told();
        assertThat(sample.steps())
                .as("its pods end also once it has failed")
                .containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        assertThat(sample.says(ConditionType.FAILED)).isEqualTo("True DeadlineExceeded");
    }

    private static TrainingJobStatus placedAt(Instant since) {
        Condition placed = condition(ConditionType.PLACED, "True", "Satisfied");
        placed.setLastTransitionTime(since.toString());
        return TrainingJobStatus.builder()
                .conditions(List.of(placed))
                .attempt(1)
                .build();
    }
}

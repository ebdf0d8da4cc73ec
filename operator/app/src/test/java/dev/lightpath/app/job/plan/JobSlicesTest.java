package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which slices a job asks for: of both its fabrics in one attempt, and in place of one that somebody deletes. */
class JobSlicesTest {
    private static final Condition GOING = condition(ConditionType.READY, "False", "Releasing");

    private final SampleJob sample = new SampleJob();

    @Test
    void aPlacedJobThatIsRefusedIsGivenNoNewSlice() {
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        sample.lit();
        SliceFacts placed = sample.slices.removeFirst();
        assertThat(sample.steps()).noneMatch(JobStep.CreateSlice.class::isInstance);
        sample.slices.add(deleting(SampleJob.dark(1)));
        assertThat(sample.steps()).noneMatch(JobStep.CreateSlice.class::isInstance);
        sample.slices.clear();
        sample.slices.add(deleting(placed));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(1);
    }

    @Test
    void asksBothFabricsInOneAttempt() {
        onBothFabrics();
        sample.finalizer = true;
        List<JobStep> steps = sample.steps();
        assertThat(steps).hasSize(2).allSatisfy(step -> assertThat(step).isInstanceOf(JobStep.CreateSlice.class));
        JobStep.CreateSlice ring = (JobStep.CreateSlice) steps.getFirst();
        JobStep.CreateSlice spine = (JobStep.CreateSlice) steps.getLast();
        assertThat(ring.fabric()).isEqualTo("ring-a");
        assertThat(ring.demand().scaleUp()).isNotNull();
        assertThat(spine.fabric()).isEqualTo("spine");
        assertThat(spine.demand().scaleOut()).isNotNull();
        assertThat(spine.attempt()).isEqualTo(ring.attempt());
    }

    @Test
    void lettingOneHalfOfAJobGoPlacesBothAnew() {
        onBothFabrics();
        sample.finalizer = true;
        List<JobStep.CreateSlice> halves =
                sample.steps().stream().map(JobStep.CreateSlice.class::cast).toList();
        halves.forEach(half -> sample.slices.add(granted(half)));
        assertThat(sample.told().attempt()).isEqualTo(1);
        sample.slices.set(1, SampleJob.forced(granted(halves.getLast())));
        assertThat(sample.told().attempt())
                .as("circuits must not be chosen anew for groups that stay")
                .isEqualTo(2);
    }

    private static SliceFacts granted(JobStep.CreateSlice half) {
        return SampleSlice.of(half.name(), half.fabric(), half.attempt(), half.demand())
                .says(condition(ConditionType.ALLOCATED, "True", "Satisfied"))
                .recorded(SampleJob.allocation())
                .facts();
    }

    @Test
    void aTunedSliceThatIsDeletedByHandIsServedAsItWasChosen() {
        onBothFabrics();
        List<JobStep.CreateSlice> halves =
                sample.steps().stream().map(JobStep.CreateSlice.class::cast).toList();
        sample.slices.add(granted(halves.getFirst()));
        sample.slices.add(deleting(granted(halves.getLast())));
        sample.status = sample.told();
        sample.microBatches = 5;
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(1);
    }

    @Test
    void aJobThatIsChangedWhileItIsSuspendedSkipsNoAttempt() {
        sample.lit();
        sample.status = sample.told();
        sample.suspend = true;
        sample.tensor = 4;
        sample.status = sample.told();
        assertThat(sample.status.attempt()).as("what goes is not placed anew").isEqualTo(1);
        sample.slices.clear();
        sample.suspend = false;
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    @Test
    void aSliceDeletedByHandIsServedThoughItsJobIsRefused() {
        sample.slices.add(deleting(SampleJob.slice(
                1, Optional.of(SampleJob.allocation()), condition(ConditionType.ALLOCATED, "True", "Satisfied"))));
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        sample.status = sample.told();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.status.attempt()).isEqualTo(1);
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True SliceDeleted");
    }

    @Test
    void whatIsRefusedIsNotThereAndTold() {
        sample.finalizer = true;
        JobFacts facts = sample.facts();
        List<JobStep> steps = JobPlan.of(facts);
        sample.status = JobReport.of(
                facts, List.of(), Optional.of(new StepsTaken.Refusal(steps.getLast(), "quota q is full", false)));
        assertThat(sample.status.attempt()).isNull();
        assertThat(sample.status.slices()).isEmpty();
        assertThat(sample.status.conditions())
                .filteredOn(condition -> condition.getType().equals("Placed")
                        || condition.getType().equals("Ready"))
                .hasSize(2)
                .allSatisfy(condition -> {
                    assertThat(condition.getReason()).isEqualTo("CreationRefused");
                    assertThat(condition.getMessage())
                            .isEqualTo(
                                    "FabricSlice " + SampleJob.SLICE
                                            + " cannot be made: quota q is full; it is tried again, and once that allows it the job goes on");
                });
        assertThat(sample.steps()).as("the same attempt").isEqualTo(steps);
    }

    @Test
    void aPodThatIsNotLetGoIsTold() {
        sample.lit().own(SampleJob.gated(0));
        refused(new JobStep.Free("launcher"));
        assertThat(told(ConditionType.PLACED).getStatus()).isEqualTo("True");
        assertThat(told(ConditionType.READY).getReason()).isEqualTo("CreationRefused");
        assertThat(told(ConditionType.READY).getMessage())
                .isEqualTo(
                        "pod launcher cannot be let go: no; it is tried again, and once that allows it the job goes on");
    }

    @Test
    void aJobSetThatIsNotDeletedIsToldAndWhatElseIsToBeKnownOfTheJobToo() {
        sample.lit().own(SampleJob.running(0));
        sample.suspend = true;
        refused(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        for (ConditionType type : List.of(ConditionType.PLACED, ConditionType.READY)) {
            assertThat(told(type).getMessage())
                    .contains("waits for 1 pod to end")
                    .endsWith("; JobSet " + SampleJob.JOB_SET
                            + " cannot be deleted: no; it is tried again, and once that allows it the job goes on");
        }
    }

    private void refused(JobStep step) {
        sample.status = JobReport.of(sample.facts(), List.of(), Optional.of(new StepsTaken.Refusal(step, "no", false)));
    }

    private Condition told(ConditionType type) {
        return sample.status.conditions().stream()
                .filter(condition -> condition.getType().equals(type.word()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEmptySliceThatIsDeletedIsFollowedByOneThatStays() {
        sample.slices.add(deleting(SampleJob.slice(1, Optional.empty())));
        assertThat(sample.steps())
                .filteredOn(JobStep.CreateSlice.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
        sample.status = sample.told();
        sample.slices.add(SampleJob.slice(2, Optional.empty()));
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.removeFirst();
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void aDeletedJobWaitsForTheLightOfADeletedSliceThoughItsFabricIsGone() {
        SliceFacts going = deleting(SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING));
        sample.slices.add(going);
        sample.fabric = Optional.empty();
        sample.deleted = true;
        assertThat(sample.steps()).as("its fabric may come back").isEmpty();
        assertThat(sample.message(ConditionType.READY)).contains("waits for the light of slice " + SampleJob.SLICE);
        assertThat(sample.says(ConditionType.RECONCILING)).isEqualTo("True Releasing");

        sample.slices.set(0, SampleJob.forced(going));
        assertThat(sample.steps()).as("a person lets it go").containsExactly(sample.deletion());
        sample.status = sample.told();
        sample.slices.clear();
        assertThat(sample.steps()).containsExactly(new JobStep.RemoveFinalizer());
    }

    @Test
    void nothingIsPlacedAsLongAsTrafficIsNotRead() {
        sample.traffic = TrafficFacts.awaited("it is being read");
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False ReadingTraffic");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("True");
    }

    private void onBothFabrics() {
        sample.scaleOut = true;
        sample.beside = Optional.of(SampleFabric.switches("spine", new FabricGeometry.Unknown()));
    }

    @Test
    void aSliceIsJudgedByNoFabricButItsOwn() {
        onBothFabrics();
        sample.beside = Optional.empty();
        sample.deleted = true;
        SliceFacts spine = SampleSlice.of(
                        JobNames.slice("train", "spine", 1, SampleJob.UID),
                        "spine",
                        1,
                        SampleJob.slice(1, Optional.empty()).demand())
                .recorded(SampleJob.allocation())
                .deleting()
                .forced()
                .facts();
        sample.slices.add(spine);
        assertThat(sample.steps())
                .as("nobody is left to take note of its ports")
                .containsExactly(JobStep.DeleteSlice.of(spine));
    }

    @Test
    void whatMayBeChangedUnderAPlacedJobWaitsForItsNextAttempt() {
        onBothFabrics();
        List<JobStep.CreateSlice> halves =
                sample.steps().stream().map(JobStep.CreateSlice.class::cast).toList();
        halves.forEach(half -> sample.slices.add(granted(half)));
        TrainingJobStatus placed = sample.told();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");

        sample.microBatches = 5;
        sample.status = placed;
        assertThat(sample.told().attempt()).isEqualTo(1);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.PLACED)).endsWith("; microBatches counts from the next attempt");

        sample.slices.set(
                1,
                SampleSlice.like(sample.slices.get(1))
                        .says(condition(ConditionType.ALLOCATED, "False", "InvalidWiring"))
                        .facts());
        sample.status = sample.told();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False InvalidWiring");
        assertThat(sample.told().attempt()).as("its light stays").isEqualTo(1);
        assertThat(sample.steps()).isEmpty();

        SliceFacts spine = sample.slices.get(1);
        sample.slices.set(1, SampleSlice.like(spine).unrecorded().says().facts());
        assertThat(sample.told().attempt()).as("no record: it slips in").isEqualTo(2);
        sample.slices.set(1, spine);

        sample.tensor = 4;
        assertThat(sample.told().attempt()).as("another job").isEqualTo(2);
    }

    /** {@code kubectl get tj} shows it as it stands in the status. */
    @Test
    void thePredictionHasTwelveDigitsThoughTheRecordHasAll() {
        Allocation chosen = SampleJob.chosen("0.5657736717926398");
        sample.slices.add(
                SampleJob.slice(1, Optional.of(chosen), condition(ConditionType.ALLOCATED, "True", "Satisfied")));
        assertThat(sample.told().prediction().iterationSeconds()).isEqualTo("0.565773671793");
        assertThat(chosen.chosen().prediction().iterationSeconds()).isEqualTo("0.5657736717926398");
    }

    @Test
    void aPredictionThatIsNoDecimalOrVerySmallIsShownAsItIsRecorded() {
        for (String recorded : List.of("NaN", "soon", "1.2345678901234567E-30", "2.5", "30.0")) {
            sample.slices.clear();
            sample.slices.add(SampleJob.slice(
                    1,
                    Optional.of(SampleJob.chosen(recorded)),
                    condition(ConditionType.ALLOCATED, "True", "Satisfied")));
            assertThat(sample.told().prediction().iterationSeconds()).isEqualTo(recorded);
        }
    }

    @Test
    void thePredictionStaysWhileADeletedSliceIsServed() {
        Allocation chosen = SampleJob.chosen();
        sample.slices.add(deleting(SampleJob.slice(
                1, Optional.of(chosen), condition(ConditionType.ALLOCATED, "True", "Satisfied"), GOING)));
        sample.status = sample.told();
        assertThat(sample.status.prediction()).isEqualTo(chosen.chosen().prediction());
        sample.status = sample.told();
        assertThat(sample.status.prediction()).isEqualTo(chosen.chosen().prediction());
        sample.slices.clear();
        assertThat(sample.told().prediction())
                .as("without the slice there are no circuits")
                .isNull();
    }

    @Test
    void aSliceThatIsLetGoByHandIsAskedForAnewOnceItIsDark() {
        sample.slices.add(deleting(SampleJob.dark(1)));
        assertThat(sample.steps()).hasSize(2).last().isEqualTo(sample.deletion());
        assertThat(sample.told().attempt()).isEqualTo(2);
    }

    @Test
    void aSliceDeletedByHandIsServedLikeAnyOtherAndToldOf() {
        sample.lit();
        List<JobStep> steps = sample.steps();
        List<String> ready = List.of(sample.says(ConditionType.READY), sample.says(ConditionType.FABRIC_READY));
        sample.slices.set(0, deleting(sample.slices.getFirst()));

        assertThat(sample.steps()).isEqualTo(steps);
        assertThat(List.of(sample.says(ConditionType.READY), sample.says(ConditionType.FABRIC_READY)))
                .isEqualTo(ready);
        assertThat(sample.told().attempt()).isEqualTo(1);
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True SliceDeleted");
        assertThat(sample.message(ConditionType.PLACED))
                .endsWith("; FabricSlice " + SampleJob.SLICE
                        + " was deleted: the job keeps its light, which is repaired as"
                        + " before, until it ends, is suspended or is placed anew");
    }

    @Test
    void aSliceDeletedByHandGoesOnceItsJobIsSuspendedAndItsLightIsDark() {
        sample.suspend = true;
        sample.slices.add(deleting(SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING)));
        assertThat(sample.steps()).isEmpty();
        sample.slices.set(0, deleting(SampleJob.dark(1)));
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.status = sample.told();
        sample.slices.clear();
        sample.suspend = false;
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    @Test
    void aSliceDeletedByHandThatNoRepairFitsIsFollowedByThatOfTheNextAttempt() {
        sample.slices.add(deleting(SampleJob.expecting(
                Outlook.ELSEWHERE,
                SampleJob.slice(
                        1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded")))));
        sample.status = sample.told();
        assertThat(sample.status.attempt()).isEqualTo(2);
        sample.slices.set(0, deleting(SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING)));
        assertThat(sample.steps()).as("the old light burns").isEmpty();
        sample.slices.set(0, deleting(SampleJob.dark(1)));
        assertThat(sample.steps()).hasSize(2).last().isEqualTo(sample.deletion());
    }

    private static SliceFacts deleting(SliceFacts slice) {
        return SampleSlice.like(slice).deleting().facts();
    }
}

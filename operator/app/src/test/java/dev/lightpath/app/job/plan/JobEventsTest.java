package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobEventsTest {
    private final SampleJob sample = new SampleJob();

    private List<String> told(@Nullable TrainingJobStatus before) {
        return JobEvents.between(before, sample.told()).stream()
                .map(happening -> happening.reason().word())
                .toList();
    }

    @Test
    void tellsTheWayToReadyOnce() {
        sample.waiting();
        assertThat(told(null)).containsExactly("Accepted");
        TrainingJobStatus waiting = sample.told();
        sample.slices.clear();
        sample.lit();
        assertThat(told(waiting)).containsExactly("Placed", "Programmed", "Qualified", "Ready");
        assertThat(told(sample.told())).isEmpty();
    }

    @Test
    void aTemplateThatContradictsIsAWarningAlsoWhenItComesLater() {
        sample.waiting();
        TrainingJobStatus sensible = sample.told();
        sample.template = new Workload(
                Serialization.unmarshal(
                        "---\nspec: {containers: [{name: t, resources: {limits: {nvidia.com/gpu: 2}}}]}",
                        JsonNode.class),
                null);
        for (TrainingJobStatus before : Arrays.asList(null, sensible)) {
            assertThat(JobEvents.between(before, sample.told())).singleElement().satisfies(told -> {
                assertThat(told.reason().word()).isEqualTo("Accepted");
                assertThat(told.warning()).isTrue();
                assertThat(told.message()).contains("a pod asks for 2 nvidia.com/gpu");
            });
        }
        assertThat(told(sample.told())).isEmpty();
    }

    @Test
    void eachStepIsToldWhereTheFirstWordsOfAJobTellThemTogether() {
        sample.lit();
        assertThat(told(null)).containsExactly("Accepted", "Placed", "Programmed", "Qualified", "Ready");
    }

    @Test
    void aPlaceThatAnotherJobTakesIsToldOnce() {
        sample.lit();
        TrainingJobStatus lit = sample.told();
        sample.slices.set(0, SampleJob.preemptedBy("team-b/urgent", sample.slices.getFirst()));
        assertThat(told(lit)).containsExactly("Preempted");
        sample.status = sample.told();
        sample.slices.clear();
        sample.slices.add(SampleJob.slice(
                2, Optional.empty(), condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity")));
        assertThat(told(sample.status)).doesNotContain("Preempted", "Unplaceable");
    }

    @Test
    void lightIsProgrammedOnceThoughItIsProvedLater() {
        sample.placed(
                condition(ConditionType.PROGRAMMED, "False", "Programming"),
                condition(ConditionType.READY, "False", "Programming"));
        TrainingJobStatus making = sample.told();
        sample.slices.clear();
        sample.placed(
                condition(ConditionType.PROGRAMMED, "True", "Satisfied"),
                condition(ConditionType.READY, "False", "Qualifying"));
        assertThat(told(making)).containsExactly("Programmed");
        TrainingJobStatus proving = sample.told();
        sample.slices.clear();
        sample.lit();
        assertThat(told(proving)).containsExactly("Qualified", "Ready");
    }

    @Test
    void contactThatIsLostAndFoundProgramsNothing() {
        sample.placed(condition(ConditionType.READY, "False", "DriverUnreachable"));
        TrainingJobStatus away = sample.told();
        sample.slices.clear();
        sample.lit();
        assertThat(told(away)).containsExactly("Qualified", "Ready");
    }

    @Test
    void aRepairNamesWhatMoved() {
        sample.lit();
        TrainingJobStatus before = sample.told();
        SliceFacts was = sample.slices.removeFirst();
        Allocation old = SampleJob.allocation();
        Allocation repaired = new Allocation(
                1,
                2,
                null,
                old.groups(),
                List.of(),
                null,
                new AllocationOrigin("local-repair", 4, "n7 in for n1, 1 of 2 groups changed", null));
        sample.slices.add(SampleJob.slice(
                1, Optional.of(repaired), was.conditions().toArray(io.fabric8.kubernetes.api.model.Condition[]::new)));
        List<ObjectEvent> happenings = JobEvents.between(before, sample.told());
        assertThat(happenings).singleElement().satisfies(happening -> {
            assertThat(happening.reason().word()).isEqualTo("Repaired");
            assertThat(happening.message()).contains("n7 in for n1", "4 bundles");
        });
    }

    @Test
    void whatHappenedIsKnownHoweverLongTheWords() {
        sample.lit();
        TrainingJobStatus before = sample.told();
        Allocation old = SampleJob.allocation();
        SliceFacts was = sample.slices.getFirst();
        sample.slices.set(
                0,
                SampleJob.slice(
                        1,
                        Optional.of(new Allocation(
                                1,
                                2,
                                null,
                                old.groups(),
                                List.of(),
                                null,
                                new AllocationOrigin("local-repair", 4, "x".repeat(10_000), null))),
                        was.conditions().toArray(io.fabric8.kubernetes.api.model.Condition[]::new)));
        assertThat(told(before)).containsExactly("Repaired");
        assertThat(sample.message(ConditionType.PLACED)).hasSizeLessThanOrEqualTo(4096);

        before = sample.told();
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(SampleRun.running()
                        .ended(false, "JobFailed", "x".repeat(10_000))
                        .run()),
                List.of(),
                Optional.empty());
        assertThat(told(before)).isEmpty();
        TrainingJobStatus going = sample.told();
        sample.slices.clear();
        assertThat(told(going)).containsExactly("Released");
        assertThat(JobEvents.between(going, sample.told()))
                .as("of a job that failed")
                .allMatch(ObjectEvent::warning);
        sample.status = sample.told();
        assertThat(told(sample.status)).isEmpty();
    }

    @Test
    void shortageAndDegradationAreWarnings() {
        sample.waiting(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        assertThat(JobEvents.between(null, sample.told()))
                .anyMatch(happening ->
                        happening.warning() && happening.reason().word().equals("Unplaceable"));
        sample.slices.clear();
        sample.lit();
        TrainingJobStatus before = sample.told();
        sample.slices.clear();
        sample.placed(condition(ConditionType.READY, "False", "Degraded"));
        assertThat(told(before)).containsExactly("Degraded");
    }

    @Test
    void theEndOfARelease() {
        sample.lit();
        TrainingJobStatus before = sample.told();
        sample.suspend = true;
        assertThat(told(before)).isEmpty();
        sample.slices.clear();
        assertThat(told(before)).containsExactly("Released");
        assertThat(JobEvents.between(before, sample.told())).noneMatch(ObjectEvent::warning);
    }
}

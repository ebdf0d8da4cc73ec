package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.TrainingJobReconciler;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TemplateProblem;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobPlanTest {
    private static final Condition GOING = condition(ConditionType.READY, "False", "Releasing");

    private final SampleJob sample = new SampleJob();

    @Test
    void asksForLightBehindTheFinalizer() {
        sample.finalizer = false;
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.AddFinalizer(),
                        new JobStep.CreateSlice(
                                SampleJob.SLICE, "ring-a", 1, new Demand(new ScaleUpDemand(2, 8), null, null)));
        assertThat(sample.told().attempt()).isEqualTo(1);
        assertThat(sample.told().slices())
                .singleElement()
                .satisfies(slice -> assertThat(slice.name()).isEqualTo(SampleJob.SLICE));
        assertThat(sample.told().gpus()).isEqualTo(16);
        assertThat(sample.told().nodes()).isEqualTo(4);
        assertThat(sample.told().observedGeneration()).isEqualTo(7);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("Unknown Pending");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False Pending");
        assertThat(sample.says(ConditionType.RECONCILING)).isEqualTo("True Pending");
    }

    @Test
    void saysWhyThereIsNoPlace() {
        sample.waiting(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"))
                .own();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False InsufficientCapacity");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False InsufficientCapacity");
        assertThat(sample.message(ConditionType.READY)).isEqualTo("InsufficientCapacity it is");
    }

    @Test
    void aLedgerWithoutAWordIsNoPlaceYet() {
        sample.slices.add(SampleJob.slice(1, Optional.of(SampleJob.allocation())));
        assertThat(sample.own().steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("Unknown Pending");
    }

    @Test
    void isReadyWhenLightAndPodsAre() {
        sample.lit().own(running(0), running(1), running(2), running(3));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("False");
        assertThat(sample.told().placement()).satisfies(placement -> {
            assertThat(placement).isNotNull();
            assertThat(placement.groups()).isEqualTo(2);
        });
    }

    @Test
    void isNotReadyWhileAPodRunsWhereItsLightWasBefore() {
        sample.lit().own(running(0), running(1), running(2, "n7"), running(3));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("1 pod runs where its light no longer is, first p2 on n7 instead of n3: the workload has to"
                        + " restart them");
        assertThat(sample.says(ConditionType.RECONCILING)).isEqualTo("True PodsPending");
    }

    @Test
    void needsNoPodsForLightOnly() {
        assertThat(sample.lit().says(ConditionType.READY)).isEqualTo("True Satisfied");
    }

    @Test
    void theFaultIsTheReasonAndNotThePodsThatWaitForIt() {
        sample.placed(
                        condition(ConditionType.READY, "False", "FaultPending"),
                        condition(ConditionType.PROGRAMMED, "True", "Satisfied"),
                        condition(ConditionType.QUALIFIED, "False", "Qualifying"))
                .own(running(0), gated(1));
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("False FaultPending");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False FaultPending");
    }

    @Test
    void aDriverThatIsAwayIsTheReason() {
        sample.placed(
                condition(ConditionType.READY, "Unknown", "DriverUnreachable"),
                condition(ConditionType.PROGRAMMED, "Unknown", "DriverUnreachable"));
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("False DriverUnreachable");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False DriverUnreachable");
    }

    @Test
    void aMassFailureOfTheFabricIsTheReason() {
        sample.fabric = Optional.of(SampleFabric.afterAMassFailure("ring-a"));
        sample.placed(
                condition(ConditionType.READY, "False", "FaultPending"),
                condition(ConditionType.PROGRAMMED, "False", "Degraded"));
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("False MassFailure");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False MassFailure");
        assertThat(sample.message(ConditionType.READY))
                .contains("ring-a stands still after a mass failure", "FaultPending it is");
    }

    @Test
    void aWishBeyondTheWholeFabricNeedsAPerson() {
        sample.waiting(condition(ConditionType.ALLOCATED, "False", "InsufficientCapacity"));
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("False Satisfied");
        sample.slices.add(SampleJob.expecting(Outlook.NEVER, sample.slices.removeFirst()));
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True InsufficientCapacity");
    }

    @Test
    void staysPlacedWhenDegraded() {
        sample.placed(
                        condition(ConditionType.READY, "False", "Degraded"),
                        condition(ConditionType.PROGRAMMED, "True", "Satisfied"))
                .own(running(0), running(1), running(2), running(3));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("False Degraded");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False Degraded");
    }

    @Test
    void refusesAScaleOutFabricThatIsNotThereOrHasATopologyOfItsOwn() {
        sample.scaleOut = true;
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False FabricNotFound");
        assertThat(sample.message(ConditionType.READY)).contains("spec.scaleOut.fabric");
        sample.beside = Optional.of(SampleFabric.of("spine", false, 8, Optional.empty()));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False FabricKindMismatch");
        assertThat(sample.message(ConditionType.READY)).contains("ocs.topology.logical");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True FabricKindMismatch");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("False");
    }

    @Test
    void looksAgainSoonWhereNobodyTellsThatANamespaceIsAllowed() {
        sample.fabric = Optional.empty();
        assertThat(TrainingJobReconciler.atRest(sample.told())).isTrue();
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        assertThat(TrainingJobReconciler.atRest(sample.told())).isFalse();
    }

    @Test
    void waitsForThePriorityClassThatItNamesUntilItHasAPlace() {
        sample.priorityClass = "urgent";
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False PriorityClassNotFound");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("spec.priorityClassName: there is no PriorityClass urgent; create it, or name one that is"
                        + " there");
        assertThat(sample.says(ConditionType.STALLED)).as("the class may come").isEqualTo("False Satisfied");

        sample.classPriority = Optional.of(new ClassPriority("urgent", 1000, false));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True Satisfied");
        assertThat(sample.told().classPriority()).isEqualTo(new ClassPriority("urgent", 1000, false));

        sample.lit();
        sample.classPriority = Optional.empty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True Satisfied");
    }

    @Test
    void refusesWhatDoesNotFitTheFabric() {
        sample.fabric = Optional.empty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False FabricNotFound");
        sample.fabric = Optional.of(SampleFabric.of("ring-a", false, 8, Optional.empty()));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False FabricKindMismatch");
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NamespaceNotAllowed");
        assertThat(sample.message(ConditionType.ACCEPTED)).isEqualTo("it is for others");
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 3, Optional.empty()));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("is 8").contains("3 GPUs per node");
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void takesGroupsThatShareANode() {
        sample.tensor = 2;
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("True Satisfied");
        assertThat(sample.told().nodes()).isEqualTo(1);
    }

    @Test
    void refusesATemplateThatTheApiServerRefuses() {
        sample.own();
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.empty(),
                List.of(),
                Optional.of(TemplateProblem.ofTemplate("containers: Required value")));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .isEqualTo("spec.workload.template: containers: Required value");
    }

    @Test
    void keepsTheLightOfARunningJobWhoseFabricNoLongerTakesIt() {
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        sample.lit().own(running(0), running(1), running(2), running(3));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
    }

    @Test
    void aChangedDemandStartsANewAttemptOnceTheOldLightIsDown() {
        sample.waiting();
        sample.tensor = 4;
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.CreateSlice(
                                JobNames.slice("train", "ring-a", 2, SampleJob.UID),
                                "ring-a",
                                2,
                                new Demand(new ScaleUpDemand(2, 4), null, null)),
                        sample.deletion());
        assertThat(sample.told().slices())
                .extracting("name")
                .containsExactly(JobNames.slice("train", "ring-a", 2, SampleJob.UID));

        sample.slices.clear();
        sample.lit().own(gated(0));
        assertThat(sample.steps()).as("the old light burns").isEmpty();
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.told().slices()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("Unknown Pending");
    }

    @Test
    void placesTheWholeJobAnewWhenNoRepairFits() {
        SliceFacts degraded = SampleJob.slice(
                1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded"));
        sample.slices.add(degraded);
        assertThat(sample.told().attempt()).isEqualTo(1);
        sample.slices.set(0, SampleJob.expecting(Outlook.ELSEWHERE, degraded));
        assertThat(sample.told().attempt()).isEqualTo(2);
        sample.status = sample.told();
        sample.slices.clear();
        sample.slices.add(SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING));
        assertThat(sample.steps()).as("the old light burns").isEmpty();
        assertThat(sample.message(ConditionType.PLACED)).contains("placed anew as attempt 2");
        sample.own(running(0, "n0"), running(1, "n1"));
        assertThat(sample.message(ConditionType.PLACED)).endsWith("; waits for 2 pods to end, first p0");
        sample.workload = new WorkloadFacts.LightOnly();
        sample.template = null;
        sample.slices.clear();
        sample.slices.add(SampleJob.dark(1));
        assertThat(sample.steps())
                .hasSize(2)
                .first()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    @Test
    void lightThatOnlySilentDevicesMayHaveHoldsUpNoNewAttempt() {
        SliceFacts going = SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING);
        sample.slices.add(SampleJob.expecting(
                Outlook.ELSEWHERE,
                SampleJob.slice(
                        1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded"))));
        sample.status = sample.told();
        sample.slices.set(0, going);
        assertThat(sample.steps()).as("light burns where somebody answers").isEmpty();
        sample.slices.set(0, SampleJob.expecting(Outlook.ONLY_SILENT, going));
        assertThat(sample.steps())
                .as("its record stays")
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    @Test
    void givesASliceItsLabelsAgain() {
        sample.lit();
        sample.slices.set(
                0, SampleSlice.like(sample.slices.getFirst()).unlabelled().facts());
        assertThat(sample.steps()).containsExactly(new JobStep.Relabel(SampleJob.SLICE));
        sample.suspend = true;
        assertThat(sample.steps()).contains(new JobStep.Relabel(SampleJob.SLICE));
    }

    @Test
    void clearsAwayOlderAttempts() {
        sample.slices.add(SampleJob.dark(1));
        sample.slices.add(SampleJob.slice(2, Optional.empty()));
        assertThat(sample.steps()).containsExactly(sample.deletion());
        assertThat(sample.told().attempt()).isEqualTo(2);
    }

    @Test
    void timesOfConditionsMoveOnlyWithTheirStatus() {
        sample.waiting();
        TrainingJobStatus first = sample.told();
        List<Condition> older = first.conditions().stream()
                .map(each -> each.edit()
                        .withLastTransitionTime("2020-01-01T00:00:00Z")
                        .build())
                .toList();
        sample.status = first.edit().conditions(older).build();
        assertThat(sample.told()).as("nothing to write").isEqualTo(sample.status);
        sample.slices.clear();
        sample.placed();
        assertThat(sample.told().conditions())
                .filteredOn(each -> each.getType().equals("Placed"))
                .singleElement()
                .satisfies(each -> assertThat(each.getLastTransitionTime()).isEqualTo("2026-05-01T10:00:00Z"));
    }

    @Test
    void aRecordThatIsOnlyReleasedIsNoPlace() {
        sample.lit();
        SliceFacts was = sample.slices.removeFirst();
        sample.slices.add(SampleJob.slice(
                1,
                Optional.of(new Allocation(1, 2, null, List.of(), List.of(), null)),
                was.conditions().toArray(Condition[]::new)));
        assertThat(sample.says(ConditionType.PLACED)).startsWith("Unknown");
        assertThat(sample.says(ConditionType.READY)).startsWith("False");
    }

    /** No framework makes such groups, and the prediction would speak of another job. */
    @Test
    void refusesExpertGroupsThatDoNotDivideTheRanks() {
        SampleJob uneven = new SampleJob();
        uneven.preset = ModelPreset.MIXTRAL_8X22B;
        uneven.expert = 3;
        assertThat(uneven.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(uneven.message(ConditionType.ACCEPTED))
                .isEqualTo("spec.parallelism.expert is 3; allowed: a divisor of tensor * context * data, which is 16");
        uneven.lit();
        assertThat(uneven.says(ConditionType.ACCEPTED)).as("it has a place").startsWith("True");
        SampleJob even = new SampleJob();
        even.preset = ModelPreset.DEEPSEEK_671B;
        even.expert = 16;
        assertThat(even.says(ConditionType.ACCEPTED)).startsWith("True");
    }

    @Test
    void refusesExpertGroupsOfAModelWithoutExperts() {
        SampleJob dense = new SampleJob();
        dense.expert = 4;
        assertThat(dense.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(dense.message(ConditionType.ACCEPTED))
                .isEqualTo("spec.parallelism.expert is 4; the model of spec.model.preset has no experts: omit expert");
        assertThat(dense.steps()).isEmpty();
        dense.lit();
        assertThat(dense.says(ConditionType.ACCEPTED)).as("it has a place").startsWith("True");
        dense.slices.clear();
        dense.expert = 1;
        assertThat(dense.says(ConditionType.ACCEPTED)).startsWith("True");
    }

    @Test
    void aJobOnARingNeedsNoModel() {
        SampleJob sample = new SampleJob();
        sample.preset = null;
        sample.expert = 4;
        assertThat(sample.says(ConditionType.ACCEPTED)).startsWith("True");
        assertThat(sample.steps()).isNotEmpty();
    }
}

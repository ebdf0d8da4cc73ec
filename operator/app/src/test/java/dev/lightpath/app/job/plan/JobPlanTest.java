package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.barred;
import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.hanging;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static dev.lightpath.app.job.plan.SampleJob.unbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.TrainingJobReconciler;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TemplateProblem;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
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
    void makesPodsForThePlaceButLeavesThemGatedUntilTheLightIsProved() {
        sample.placed(condition(ConditionType.READY, "False", "Programming")).own(gated(0), gated(1));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("False Programming");
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        assertThat(sample.steps())
                .containsExactly(new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE));
    }

    @Test
    void letsEveryPodGoToTheNodeOfItsRankInRankOrder() {
        sample.lit().own(gated(2), running(0), gated(3), gated(1));
        assertThat(sample.steps())
                .containsExactly(
                        sample.ungate("p1", new RankedNode("n1", 1, "0"), "11"),
                        sample.ungate("p2", new RankedNode("n3", 2, "1"), "13"),
                        sample.ungate("p3", new RankedNode("n2", 3, "1"), "12"));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY)).isEqualTo("1 of 4 pods run");
    }

    @Test
    void tellsARunningPodOfLightThatChangedAndNothingAtRest() {
        sample.lit().own();
        String now = LightFile.of(sample.facts()).text(new RankedNode("n1", 1, "0"));
        sample.own(told(1, "n1", now));
        assertThat(sample.steps()).isEmpty();
        sample.own(told(1, "n1", now.replace("\"nodes\":4", "\"nodes\":5")));
        assertThat(sample.steps()).containsExactly(new JobStep.TellLight("p1", now));
        sample.own(told(1, "n6", "{}"));
        assertThat(sample.steps()).as("it is where its light is not").isEmpty();
        sample.own(told(1, "n1", ""));
        assertThat(sample.steps()).as("of a version that told of none").isEmpty();
    }

    private static PodFacts told(int rank, String node, String light) {
        return new PodFacts(
                "p" + rank,
                OptionalInt.of(rank),
                node,
                false,
                PodFacts.Phase.RUNNING,
                false,
                false,
                Optional.empty(),
                light);
    }

    @Test
    void aPodStaysBehindTheGateOnceItsLightHasLeftItsNode() {
        JobStep.Ungate second = new JobStep.Ungate("p1", new RankedNode("n1", 1, "0"), 1, new TreeMap<>());
        assertThat(second.isLit(sample.lit().slices)).isTrue();
        assertThat(second.isLit(new SampleJob().placed(condition(ConditionType.READY, "False", "Degraded")).slices))
                .isFalse();
        JobStep.Ungate elsewhere = new JobStep.Ungate("p1", new RankedNode("n5", 1, "0"), 1, new TreeMap<>());
        assertThat(elsewhere.isLit(sample.slices)).isFalse();
        sample.slices.add(SampleJob.slice(2, Optional.empty()));
        assertThat(second.isLit(sample.slices)).isFalse();
    }

    /** Conditions are told once the hardware has answered, the record is written before it is asked. */
    @Test
    void noPodIsLetGoOnTheWordOfAnEarlierRecord() {
        JobStep.Ungate second = new JobStep.Ungate("p1", new RankedNode("n1", 1, "0"), 1, new TreeMap<>());
        sample.lit().own(gated(0), gated(1), gated(2), gated(3));
        SliceFacts lit = sample.slices.getFirst();
        sample.slices.set(0, SampleJob.recordedAnew(lit));
        assertThat(sample.steps()).isEmpty();
        assertThat(second.isLit(sample.slices)).isFalse();
        sample.slices.set(0, SampleJob.toldOf(Optional.empty(), lit));
        assertThat(sample.steps()).as("of a version that told of none").isEmpty();
        assertThat(second.isLit(sample.slices)).isFalse();
    }

    @Test
    void lightThatWasReadIsOldOnceAWatchTellsOfALaterRecord() {
        SliceFacts read = sample.lit().slices.getFirst();
        assertThat(read.isOlderThan(watched(SampleJob.SLICE, 1))).isFalse();
        assertThat(read.isOlderThan(watched(SampleJob.SLICE, 2))).isTrue();
        assertThat(read.isOlderThan(watched("another", 2))).isFalse();
    }

    private static FabricSlice watched(String name, long revision) {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder().withName(name).build());
        slice.setStatus(new FabricSliceStatus(
                1L, List.of(), new Allocation(1, revision, null, List.of(), List.of(), null), null));
        return slice;
    }

    @Test
    void aPodThatAppearsEarlyWaitsForTheRanksBeforeIt() {
        sample.lit().own(gated(3), gated(1), running(0));
        assertThat(sample.steps()).containsExactly(sample.ungate("p1", new RankedNode("n1", 1, "0"), "11"));
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
    void leavesAPodWithoutARankInTheJobGated() {
        PodFacts stranger = new PodFacts(
                "x", OptionalInt.empty(), "", true, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
        sample.lit().own(gated(4), stranger);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.READY)).contains("2 pods have no node");
    }

    @Test
    void placesNothingBeforeTheReferencedWorkloadIsThere() {
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, Optional.empty(), List.of());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED)).contains("there is no JobSet mine in namespace team-a");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("True");
        sample.waiting();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine",
                true,
                Optional.of(new WorkloadFacts.Run(
                        false, true, Optional.empty(), false, Made.unknown(), false, Optional.empty())),
                List.of());
        assertThat(sample.steps()).hasAtLeastOneElementOfType(JobStep.CreateSlice.class);
    }

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
        sample.fabric = Optional.of(new FabricFacts(
                "ring-a",
                true,
                4,
                Optional.empty(),
                new TreeSet<>(),
                true,
                "nvidia.com/gpu",
                false,
                false,
                new FabricGeometry.Unknown()));
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
    void keepsNewPodsGatedWhileAFaultWaitsForItsRepair() {
        sample.placed(
                        condition(ConditionType.READY, "False", "FaultPending"),
                        condition(ConditionType.PROGRAMMED, "True", "Satisfied"),
                        condition(ConditionType.QUALIFIED, "True", "Satisfied"))
                .own(running(0), running(1), running(2), running(3));
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False FaultPending");
        sample.own(running(0), gated(1));
        assertThat(sample.steps()).isEmpty();
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
    void letsGoOfAHangingPodOnlyOnceItsLightIsTaken() {
        sample.lit().own(hanging(1, "n1"));
        assertThat(sample.steps()).isEmpty();
        sample.own(hanging(1, "n7"));
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p1"));
        sample.forceDelete = false;
        assertThat(sample.steps()).isEmpty();
    }

    /** Nobody evicts it: it was let go to its node and never bound. */
    @Test
    void takesBackAPodWhoseNodeDiedBeforeItWasBound() {
        sample.placed(condition(ConditionType.READY, "False", "FaultPending"))
                .own(running(0), unbound(1, "n1", true), unbound(2, "n3", false), running(3));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteUnbound("p1", "17"));
        sample.forceDelete = false;
        assertThat(sample.steps()).as("it never ran").hasSize(1);
        sample.fabric = Optional.of(new FabricFacts(
                "ring-a",
                true,
                4,
                Optional.empty(),
                new TreeSet<>(),
                true,
                "nvidia.com/gpu",
                false,
                false,
                new FabricGeometry.Unknown()));
        assertThat(sample.steps()).as("after a mass failure").isEmpty();
    }

    /** Somebody cordoned it: a repair waits for the pod, and the pod for the node. */
    @Test
    void takesBackAPodThatItsNodeKeepsOutOnlyWhileTheLightIsNotReady() {
        sample.placed(condition(ConditionType.READY, "False", "FaultPending"))
                .own(running(0), barred(1, "n1"), running(2), running(3));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteUnbound("p1", "17"));
        sample.fabric = Optional.of(afterAMassFailure());
        assertThat(sample.steps()).as("after a mass failure").isEmpty();
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.empty()));
        sample.slices.clear();
        sample.lit();
        assertThat(sample.steps()).as("it would be let go again").isEmpty();
    }

    @Test
    void takesBackAPodWhoseLightIsElsewhereBeforeItWasBound() {
        sample.lit().own(running(0), unbound(1, "n7", false), running(2), running(3));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteUnbound("p1", "17"));
        sample.own(running(0), unbound(1, "n1", false), running(2, "n7"), running(3));
        assertThat(sample.steps()).as("who is bound runs on").isEmpty();
    }

    @Test
    void aPodThatIsNeverBoundHoldsUpNoPlaceThatAJobIsGivenAnew() {
        sample.slices.add(SampleJob.expecting(
                Outlook.ELSEWHERE,
                SampleJob.slice(
                        1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded"))));
        sample.status = sample.told();
        sample.own(unbound(1, "n1", true), unbound(0, "n0", false));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteUnbound("p1", "17"));
    }

    /** A machine without power has taken its transceivers with it: nobody reads them back dark. */
    @Test
    void lightThatNobodyCanTakeHoldsUpNoHangingPod() {
        SliceFacts left = SampleJob.leaving(
                new Releasing(List.of("n7"), List.of(new SwitchCircuits("ocs-1", List.of("1-2")))),
                sample.lit().slices.getFirst());
        sample.slices.set(0, left);
        sample.own(hanging(1, "n7"));
        assertThat(sample.steps()).as("it goes yet").isEmpty();
        sample.slices.set(0, SampleJob.expecting(Outlook.ONLY_SILENT, left));
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p1"));
        sample.slices.set(0, SampleJob.recordedAnew(sample.slices.getFirst()));
        assertThat(sample.steps()).as("that was said of an earlier record").isEmpty();
        sample.own(hanging(1, "n1"));
        sample.slices.set(0, SampleJob.expecting(Outlook.ONLY_SILENT, left));
        assertThat(sample.steps()).as("its light is its own").isEmpty();
    }

    /** Its pods keep the old light until they are gone, and no new place is taken before that. */
    @Test
    void aDeadNodeDoesNotHoldUpThePlaceThatAJobIsGivenAnew() {
        sample.slices.add(SampleJob.expecting(
                Outlook.ELSEWHERE,
                SampleJob.slice(
                        1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded"))));
        sample.status = sample.told();
        assertThat(sample.status.attempt()).isEqualTo(2);
        sample.own(hanging(1, "n1"), running(0));
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p1"));
        sample.forceDelete = false;
        assertThat(sample.steps()).isEmpty();
    }

    /** Its node may be back, and its pod with it. */
    @Test
    void aPlaceThatWasCountedAnewLetsGoOfNoPodAfterAMassFailure() {
        countedAnew();
        sample.own(hanging(1, "n1"), unbound(2, "n3", true));
        assertThat(sample.steps())
                .containsExactly(new JobStep.ForceDeletePod("p1"), new JobStep.DeleteUnbound("p2", "17"));
        sample.fabric = Optional.of(afterAMassFailure());
        assertThat(sample.steps()).isEmpty();
    }

    /** A namespace may be forbidden after the attempt was counted: its light is given up all the same. */
    @Test
    void aJobThatIsRefusedLetsGoOfPodsThatHoldUpTheLightThatItGaveUp() {
        countedAnew();
        sample.own(hanging(1, "n1"), unbound(2, "n3", true), running(0));
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        assertThat(sample.steps())
                .containsExactly(new JobStep.ForceDeletePod("p1"), new JobStep.DeleteUnbound("p2", "17"));
        sample.status = null;
        assertThat(sample.steps()).as("it keeps its light").isEmpty();
    }

    private void countedAnew() {
        sample.slices.add(SampleJob.expecting(
                Outlook.ELSEWHERE,
                SampleJob.slice(
                        1, Optional.of(SampleJob.allocation()), condition(ConditionType.READY, "False", "Degraded"))));
        sample.status = sample.told();
    }

    private static FabricFacts afterAMassFailure() {
        return new FabricFacts(
                "ring-a",
                true,
                4,
                Optional.empty(),
                new TreeSet<>(),
                true,
                "nvidia.com/gpu",
                false,
                false,
                new FabricGeometry.Unknown());
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
        return new SliceFacts(
                half.name(),
                half.fabric(),
                half.attempt(),
                half.demand(),
                List.of(condition(ConditionType.ALLOCATED, "True", "Satisfied")),
                Optional.of(SampleJob.allocation()),
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                Optional.of(1L),
                Optional.empty());
    }

    private static SliceFacts altered(SliceFacts of, Optional<Allocation> allocation, Condition... conditions) {
        return new SliceFacts(
                of.name(),
                of.fabric(),
                of.attempt(),
                of.demand(),
                List.of(conditions),
                allocation,
                of.deleting(),
                false,
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                allocation.map(Allocation::revision),
                Optional.empty());
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
        sample.beside = Optional.of(new FabricFacts(
                "spine",
                false,
                8,
                Optional.empty(),
                new java.util.TreeSet<>(),
                false,
                "",
                false,
                true,
                new FabricGeometry.Unknown()));
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
    void judgesAReferencedWorkload() {
        sample.lit().workload = referenced(true, Optional.empty());
        assertThat(sample.message(ConditionType.READY)).contains("there is no JobSet mine");
        sample.workload = referenced(
                true,
                Optional.of(new WorkloadFacts.Run(
                        false, false, Optional.empty(), false, Made.unknown(), false, Optional.empty())));
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False GateMissing");
        assertThat(sample.says(ConditionType.STALLED)).isEqualTo("True GateMissing");
        sample.workload = referenced(false, Optional.empty());
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NotSupported");
    }

    @Test
    void deletesFromTheTop() {
        sample.deleted = true;
        sample.lit().own(running(0));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));

        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET,
                Optional.of(new WorkloadFacts.Run(
                        true, true, Optional.empty(), false, Made.unknown(), false, Optional.empty())),
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
                "JobSet mine",
                true,
                Optional.of(new WorkloadFacts.Run(
                        false, true, Optional.empty(), false, Made.unknown(), false, Optional.empty())),
                List.of(gated(0)));
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    @Test
    void aPersonMayLetASliceGoOnceItsPortsAreInQuarantine() {
        sample.deleted = true;
        SliceFacts slice = SampleJob.slice(1, Optional.of(SampleJob.allocation()), GOING);
        sample.slices.add(new SliceFacts(
                slice.name(),
                "ring-a",
                1,
                slice.demand(),
                slice.conditions(),
                slice.allocation(),
                true,
                true,
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                slice.observedRevision(),
                Optional.empty()));
        sample.fabric = Optional.of(
                SampleFabric.of("ring-a", true, 4, Optional.empty(), new TreeSet<>(List.of("n0", "n1", "n2"))));
        assertThat(sample.steps()).isEmpty();
        sample.fabric = Optional.of(
                SampleFabric.of("ring-a", true, 4, Optional.empty(), new TreeSet<>(List.of("n0", "n1", "n2", "n3"))));
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    @Test
    void aSliceIsJudgedByNoFabricButItsOwn() {
        onBothFabrics();
        sample.beside = Optional.empty();
        sample.deleted = true;
        SliceFacts spine = SampleJob.forced(new SliceFacts(
                JobNames.slice("train", "spine", 1, SampleJob.UID),
                "spine",
                1,
                SampleJob.slice(1, Optional.empty()).demand(),
                List.of(),
                Optional.of(SampleJob.allocation()),
                true,
                true,
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                Optional.of(1L),
                Optional.empty()));
        sample.slices.add(spine);
        assertThat(sample.steps())
                .as("nobody is left to take note of its ports")
                .containsExactly(JobStep.DeleteSlice.of(spine));
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
                altered(
                        sample.slices.get(1),
                        sample.slices.get(1).allocation(),
                        condition(ConditionType.ALLOCATED, "False", "InvalidWiring")));
        sample.status = sample.told();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("False InvalidWiring");
        assertThat(sample.told().attempt()).as("its light stays").isEqualTo(1);
        assertThat(sample.steps()).isEmpty();

        SliceFacts spine = sample.slices.get(1);
        sample.slices.set(1, altered(spine, Optional.empty()));
        assertThat(sample.told().attempt()).as("no record: it slips in").isEqualTo(2);
        sample.slices.set(1, spine);

        sample.tensor = 4;
        assertThat(sample.told().attempt()).as("another job").isEqualTo(2);
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
        sample.slices.set(0, SampleJob.unlabelled(sample.slices.getFirst()));
        assertThat(sample.steps()).containsExactly(new JobStep.Relabel(SampleJob.SLICE));
        sample.suspend = true;
        assertThat(sample.steps()).contains(new JobStep.Relabel(SampleJob.SLICE));
    }

    private static SliceFacts deleting(SliceFacts slice) {
        return new SliceFacts(
                slice.name(),
                slice.fabric(),
                slice.attempt(),
                slice.demand(),
                slice.conditions(),
                slice.allocation(),
                true,
                slice.forceRelease(),
                slice.placement(),
                slice.outlook(),
                slice.whole(),
                slice.labelled(),
                slice.observedRevision(),
                Optional.empty());
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

    private static WorkloadFacts referenced(boolean supported, Optional<WorkloadFacts.Run> run) {
        return new WorkloadFacts.Referenced("JobSet mine", supported, run, List.of());
    }

    /** Kueue preempts so: what is suspended again makes room for others. */
    @Test
    void aWorkloadThatIsSuspendedAgainGivesItsLightBackOnceItsPodsEnded() {
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        sample.lit();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of(running(0)));
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("spec.workload.ref: JobSet mine is suspended, as by a queue that has no quota for it;"
                        + " its nodes and light go back once its pods have ended; waits for 1 pod to end, first p0");
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).isEmpty();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, suspendedRun(), List.of());
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        sample.status = TrainingJobStatus.builder().attempt(1).build();
        assertThat(sample.steps()).isEmpty();
        sample.workload = new WorkloadFacts.Referenced("JobSet mine", true, gatedRun(), List.of());
        assertThat(sample.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        JobStep.CreateSlice.class,
                        create -> assertThat(create.attempt()).isEqualTo(2));
    }

    /** Its JobSet stays: the queue starts it again. */
    @Test
    void aJobSetOfOursThatIsSuspendedAgainStays() {
        sample.lit().own();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, suspendedRun(), List.of(), Optional.empty());
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
        assertThat(sample.message(ConditionType.ACCEPTED))
                .startsWith("JobSet " + SampleJob.JOB_SET + " is suspended (its spec.suspend); its nodes");
        sample.slices.clear();
        sample.released();
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False WaitingForQuota");
    }

    private static Optional<WorkloadFacts.Run> suspendedRun() {
        return Optional.of(
                new WorkloadFacts.Run(false, true, Optional.empty(), true, Made.unknown(), false, Optional.empty()));
    }

    private static Optional<WorkloadFacts.Run> gatedRun() {
        return Optional.of(
                new WorkloadFacts.Run(false, true, Optional.empty(), false, Made.unknown(), false, Optional.empty()));
    }

    @Test
    void letsALauncherGoAtOnceAndGivesItNoNode() {
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine", true, gatedRun(), List.of(gated(0)), List.of("launcher-0"), Optional.empty(), false);
        assertThat(sample.steps()).contains(new JobStep.Free("launcher-0"));
        sample.lit();
        assertThat(sample.steps())
                .containsExactly(
                        new JobStep.Free("launcher-0"), sample.ungate("p0", new RankedNode("n0", 0, "0"), "10"));
        assertThat(sample.message(ConditionType.READY)).isEqualTo("0 of 4 pods run");
    }

    @Test
    void saysHowManyPodsAWorkloadWithoutIndexesHasToHave() {
        sample.lit().workload = new WorkloadFacts.Referenced(
                "PyTorchJob mine",
                true,
                gatedRun(),
                List.of(unranked("a"), unranked("b")),
                List.of(),
                Optional.empty(),
                true);
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("0 of 4 pods run; 2 pods have no rank: a job of 4 nodes takes exactly as many pods, and none"
                        + " runs before all are there");
    }

    private static PodFacts unranked(String name) {
        return new PodFacts(
                name, OptionalInt.empty(), "", true, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
    }

    @Test
    void saysWhichReplicatedJobsThereAre() {
        sample.workload = new WorkloadFacts.Referenced(
                "JobSet mine", true, gatedRun(), List.of(), List.of(), Optional.of("it has no nodes"), false);
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidTemplate");
        assertThat(sample.message(ConditionType.ACCEPTED)).isEqualTo("it has no nodes");
        assertThat(sample.steps()).isEmpty();
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

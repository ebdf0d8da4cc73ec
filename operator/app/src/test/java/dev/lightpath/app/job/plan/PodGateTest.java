package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.barred;
import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.hanging;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static dev.lightpath.app.job.plan.SampleJob.unbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pods of a job wait behind their gate for its light, and are taken back where they hold it up. */
class PodGateTest {
    private final SampleJob sample = new SampleJob();

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
                        sample.ungate("p1", new RankedNode("n1", 1, "0"), "1"),
                        sample.ungate("p2", new RankedNode("n3", 2, "1"), "3"),
                        sample.ungate("p3", new RankedNode("n2", 3, "1"), "2"));
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
        sample.own(told(1, "n1", ""));
        assertThat(sample.steps()).as("of a version that told of none").isEmpty();
    }

    @Test
    void tellsAPodOnceThatItsRankHasGoneToAnotherNode() {
        sample.lit().own(told(1, "n6", "{}"));
        String now = LightFile.of(sample.facts()).told(new RankedNode("n6", 1, "0"));
        assertThat(sample.steps()).containsExactly(new JobStep.TellLight("p1", now));
        sample.own(told(1, "n6", now));
        assertThat(sample.steps()).isEmpty();
    }

    /** Its file is of the node that it is let go to. */
    @Test
    void tellsAPodNothingUntilItIsBound() {
        sample.lit().own();
        String now = LightFile.of(sample.facts()).text(new RankedNode("n1", 1, "0"));
        sample.own(told(1, "", now));
        assertThat(sample.steps()).isEmpty();
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
        assertThat(LitPlaces.of(sample.lit().slices).has(second)).isTrue();
        assertThat(LitPlaces.of(new SampleJob().placed(condition(ConditionType.READY, "False", "Degraded")).slices)
                        .has(second))
                .isFalse();
        JobStep.Ungate elsewhere = new JobStep.Ungate("p1", new RankedNode("n5", 1, "0"), 1, new TreeMap<>());
        assertThat(LitPlaces.of(sample.slices).has(elsewhere)).isFalse();
        sample.slices.add(SampleJob.slice(2, Optional.empty()));
        assertThat(LitPlaces.of(sample.slices).has(second)).isFalse();
    }

    /** Conditions are told once the hardware has answered, the record is written before it is asked. */
    @Test
    void noPodIsLetGoOnTheWordOfAnEarlierRecord() {
        JobStep.Ungate second = new JobStep.Ungate("p1", new RankedNode("n1", 1, "0"), 1, new TreeMap<>());
        sample.lit().own(gated(0), gated(1), gated(2), gated(3));
        SliceFacts lit = sample.slices.getFirst();
        sample.slices.set(0, SampleJob.recordedAnew(lit));
        assertThat(sample.steps()).isEmpty();
        assertThat(LitPlaces.of(sample.slices).has(second)).isFalse();
        sample.slices.set(0, SampleSlice.like(lit).toldOf(Optional.empty()).facts());
        assertThat(sample.steps()).as("of a version that told of none").isEmpty();
        assertThat(LitPlaces.of(sample.slices).has(second)).isFalse();
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
        assertThat(sample.steps()).containsExactly(sample.ungate("p1", new RankedNode("n1", 1, "0"), "1"));
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
        sample.fabric = Optional.of(SampleFabric.afterAMassFailure("ring-a"));
        assertThat(sample.steps()).as("after a mass failure").isEmpty();
    }

    /** Somebody cordoned it: a repair waits for the pod, and the pod for the node. */
    @Test
    void takesBackAPodThatItsNodeKeepsOutOnlyWhileTheLightIsNotReady() {
        sample.placed(condition(ConditionType.READY, "False", "FaultPending"))
                .own(running(0), barred(1, "n1"), running(2), running(3));
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteUnbound("p1", "17"));
        sample.fabric = Optional.of(SampleFabric.afterAMassFailure("ring-a"));
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
        sample.fabric = Optional.of(SampleFabric.afterAMassFailure("ring-a"));
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
}

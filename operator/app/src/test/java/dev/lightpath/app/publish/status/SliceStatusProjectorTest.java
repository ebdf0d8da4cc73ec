package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SliceStatusProjectorTest {
    private static final Light LIT = new Light(8, 8, 0, 3, 3, Optional.empty());

    private static FabricSliceStatus project(Placement placement, Light light) {
        return SliceStatusProjector.project(
                new SliceId("team", "llm"), new SliceVerdict(placement, Optional.empty(), light), null, 2, Scenes.NOW);
    }

    private static Light obstructed(int lit, int qualified, Reason reason) {
        return new Light(8, lit, 0, 3, qualified, Optional.of(new Obstacle(reason, "because of n3")));
    }

    private static Condition condition(FabricSliceStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private static String said(FabricSliceStatus status, String type) {
        Condition condition = condition(status, type);
        return condition.getStatus() + " " + condition.getReason();
    }

    @Test
    void litAndQualifiedIsReady() {
        FabricSliceStatus status = project(new Placement.Placed(), LIT);
        for (String type : List.of("Allocated", "Programmed", "Qualified", "Ready")) {
            assertThat(said(status, type)).isEqualTo("True Satisfied");
        }
        assertThat(said(status, "Reconciling")).startsWith("False");
        assertThat(said(status, "Stalled")).startsWith("False");
        assertThat(status.programmed()).isEqualTo(new Programmed(8, 8, 0));
        assertThat(status.observedGeneration()).isEqualTo(2);
    }

    @Test
    void neverWritesTheLedgersAllocation() {
        FabricSliceStatus status = SliceStatusProjector.project(
                new SliceId("team", "llm"),
                Scenes.outcome().deliberation().slices().get(Scenes.SLICE),
                null,
                1,
                Scenes.NOW);
        assertThat(status.allocation()).isNull();
        assertThat(status.observedRevision()).isEqualTo(1);
        assertThat(condition(status, "Allocated").getMessage()).isEqualTo("1 group on 2 nodes, revision 1");
    }

    @ParameterizedTest
    @CsvSource({"PROGRAMMING, Programming", "REJECTED, Rejected", "INDETERMINATE, Indeterminate", "DEGRADED, Degraded"})
    void lightThatIsNotMadeSaysWhatIsInItsWay(Reason reason, String word) {
        FabricSliceStatus status = project(new Placement.Placed(), obstructed(5, 0, reason));
        assertThat(said(status, "Allocated")).isEqualTo("True Satisfied");
        for (String type : List.of("Programmed", "Qualified", "Ready")) {
            assertThat(said(status, type)).isEqualTo("False " + word);
        }
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("5 of 8 circuits are made; because of n3");
    }

    @Test
    void anEarlierLinkThatQualifiesSlowlyIsStillProgramming() {
        FabricSliceStatus status = project(new Placement.Placed(), obstructed(5, 0, Reason.QUALIFYING));
        assertThat(said(status, "Programmed")).isEqualTo("False Programming");
        assertThat(said(status, "Ready")).isEqualTo("False Programming");
        assertThat(said(status, "Reconciling")).isEqualTo("True Programming");
    }

    @Test
    void madeLightHasToProveItself() {
        FabricSliceStatus status = project(new Placement.Placed(), obstructed(8, 2, Reason.QUALIFYING));
        assertThat(said(status, "Programmed")).isEqualTo("True Satisfied");
        assertThat(said(status, "Qualified")).isEqualTo("False Qualifying");
        assertThat(said(status, "Ready")).isEqualTo("False Qualifying");
        assertThat(condition(status, "Qualified").getMessage()).isEqualTo("2 of 3 links qualify; because of n3");
    }

    @Test
    void withoutTheDriverNothingIsKnownNotEvenOfLitLight() {
        FabricSliceStatus status = project(
                new Placement.Placed(),
                new Light(8, 8, 0, 3, 3, Optional.of(new Obstacle(Reason.DRIVER_UNREACHABLE, "gone"))));
        for (String type : List.of("Programmed", "Qualified", "Ready")) {
            assertThat(said(status, type)).isEqualTo("Unknown DriverUnreachable");
        }
        assertThat(said(status, "Allocated")).isEqualTo("True Satisfied");
        assertThat(said(status, "Reconciling")).isEqualTo("True DriverUnreachable");
    }

    @Test
    void aFaultThatWaitsForItsRepairIsPending() {
        FabricSliceStatus status =
                project(new Placement.Faulted(List.of("n3"), "waits for the pods to stop", false, false), LIT);
        assertThat(said(status, "Ready")).isEqualTo("False FaultPending");
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("faulty: n3; waits for the pods to stop");
        assertThat(said(status, "Allocated")).isEqualTo("True Satisfied");
        assertThat(said(status, "Programmed")).isEqualTo("True Satisfied");
        assertThat(said(status, "Stalled")).startsWith("False");
    }

    @Test
    void aFaultOfNoMemberNamesNone() {
        FabricSliceStatus status =
                project(new Placement.Faulted(List.of(), "no free ports for 2 links", true, false), LIT);
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("no free ports for 2 links");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aFaultWithoutRepairIsDegradedAndSaysWhetherTheJobCanMove(boolean relocatable) {
        FabricSliceStatus status =
                project(new Placement.Faulted(List.of("n3", "n4"), "no spare within reach", true, relocatable), LIT);
        assertThat(said(status, "Ready")).isEqualTo("False Degraded");
        assertThat(status.outlook()).isEqualTo(relocatable ? Outlook.ELSEWHERE : null);
        assertThat(project(new Placement.Faulted(List.of("n3"), "x".repeat(10_000), true, relocatable), LIT)
                        .outlook())
                .as("however long the message")
                .isEqualTo(status.outlook());
        assertThat(project(
                                new Placement.Unplaced(
                                        Reason.INSUFFICIENT_CAPACITY,
                                        "x".repeat(10_000) + Placement.Unplaced.NEVER_FITS),
                                LIT)
                        .outlook())
                .isEqualTo(Outlook.NEVER);
        assertThat(said(status, "Stalled")).isEqualTo("True Degraded");
    }

    @ParameterizedTest
    @CsvSource({
        "INSUFFICIENT_CAPACITY, InsufficientCapacity, Reconciling",
        "DRIVER_UNREACHABLE, DriverUnreachable, Reconciling",
        "INVALID_PARALLELISM, InvalidParallelism, Stalled",
        "FABRIC_NOT_FOUND, FabricNotFound, Stalled",
        "MASS_FAILURE, MassFailure, Stalled",
        "AWAITING_ADOPTION, AwaitingAdoption, Stalled"
    })
    void aSliceWithoutAPlaceSaysWhy(Reason reason, String word, String abnormal) {
        FabricSliceStatus status = project(new Placement.Unplaced(reason, "wanted 8"), Light.none());
        for (String type : List.of("Allocated", "Programmed", "Qualified", "Ready")) {
            assertThat(said(status, type)).isEqualTo("False " + word);
        }
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("wanted 8");
        assertThat(said(status, abnormal)).isEqualTo("True " + word);
        assertThat(status.programmed()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"READING", "RECORDING"})
    void aPassStillUndecidedIsPending(Reason reason) {
        FabricSliceStatus status = project(new Placement.Unplaced(reason, "a moment"), Light.none());
        assertThat(said(status, "Ready")).isEqualTo("Unknown Pending");
        assertThat(said(status, "Reconciling")).isEqualTo("True Pending");
    }

    @Test
    void wiringThatContradictsItselfProvesNothingAndDisprovesNothing() {
        Light undecidable = obstructed(8, 0, Reason.INVALID_WIRING);
        FabricSliceStatus waiting = project(new Placement.Placed(), undecidable);
        assertThat(said(waiting, "Qualified")).isEqualTo("False InvalidWiring");
        assertThat(said(waiting, "Ready")).isEqualTo("False InvalidWiring");
        FabricSliceStatus lit = project(new Placement.Placed(), new Light(8, 8, 0, 3, 3, Optional.empty()));
        FabricSliceStatus kept = SliceStatusProjector.project(
                new SliceId("team", "llm"),
                new SliceVerdict(new Placement.Placed(), Optional.empty(), undecidable),
                lit,
                2,
                Scenes.NOW);
        assertThat(said(kept, "Ready")).isEqualTo("True Satisfied");
    }

    @Test
    void tellsThatNobodyCanTakeTheLightThatASliceLeft() {
        SliceVerdict left = new SliceVerdict(
                new Placement.Placed(),
                Optional.empty(),
                LIT,
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty());
        FabricSliceStatus status = SliceStatusProjector.project(new SliceId("team", "llm"), left, null, 2, Scenes.NOW);
        assertThat(said(status, "Ready")).isEqualTo("True Satisfied");
        assertThat(status.outlook()).isEqualTo(Outlook.ONLY_SILENT);
    }

    @Test
    void releasingGoesOverIntoReleased() {
        FabricSliceStatus releasing =
                project(new Placement.Releasing(3, "waiting for loopback to be read back"), Light.none());
        assertThat(said(releasing, "Ready")).isEqualTo("False Releasing");
        assertThat(condition(releasing, "Ready").getMessage()).startsWith("3 nodes are not yet dark");
        assertThat(said(releasing, "Reconciling")).isEqualTo("True Releasing");
        assertThat(releasing.outlook()).isNull();
        FabricSliceStatus silent = project(new Placement.Releasing(1, "", true), Light.none());
        assertThat(said(silent, "Ready")).isEqualTo("False Releasing");
        assertThat(condition(silent, "Ready").getMessage())
                .contains("on devices that do not answer, refuse or cannot move");
        assertThat(silent.outlook()).isEqualTo(Outlook.ONLY_SILENT);
        FabricSliceStatus released = project(new Placement.Released(), Light.none());
        assertThat(said(released, "Ready")).isEqualTo("False Released");
        assertThat(said(released, "Reconciling")).startsWith("False");
        assertThat(said(released, "Stalled")).startsWith("False");
    }

    @Test
    void progressWithinAStatusKeepsItsTransitionTime() {
        SliceVerdict before =
                new SliceVerdict(new Placement.Placed(), Optional.empty(), obstructed(2, 0, Reason.PROGRAMMING));
        SliceVerdict after =
                new SliceVerdict(new Placement.Placed(), Optional.empty(), obstructed(6, 0, Reason.PROGRAMMING));
        FabricSliceStatus first = SliceStatusProjector.project(new SliceId("team", "llm"), before, null, 1, Scenes.NOW);
        FabricSliceStatus second =
                SliceStatusProjector.project(new SliceId("team", "llm"), after, first, 1, Scenes.NOW.plusSeconds(5));
        assertThat(condition(second, "Ready").getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(second.programmed()).isEqualTo(new Programmed(8, 6, 0));
    }

    /** Its readers may read its namespace. */
    @Test
    void theJobThatTakesThePlaceIsNamedWithinItsNamespaceOnly() {
        assertThat(preemptor("team")).isEqualTo("team/urgent");
        assertThat(preemptor("rivals")).isEqualTo("another namespace");
    }

    private static @Nullable String preemptor(String namespace) {
        SliceVerdict verdict = new SliceVerdict(
                new Placement.Placed(),
                Optional.empty(),
                Light.none(),
                Optional.empty(),
                false,
                Optional.of(new JobId(namespace, "urgent", "uid-1")),
                Optional.empty());
        return SliceStatusProjector.project(new SliceId("team", "llm"), verdict, null, 2, Scenes.NOW)
                .preemptor();
    }
}
